import type { Connection, PublicKey, VersionedTransactionResponse } from '@solana/web3.js';
import { type LaneReading, type LaneValues, readLanes, readLaneValues } from '../lanes/lane-reading.ts';
import type { TokenInfo } from '../exchange/exchange.ts';
import { createAgreedTokenReader } from '../tokens/agreed-tokens.ts';
import { type AgreedHolders, agreedHolders, type HoldersQuestion } from '../tokens/agreed-holders.ts';
import type { WithheldIn } from '../tokens/holder-answer.ts';
import { type HolderList, type HoldersWanted, readHolders } from '../tokens/holders.ts';
import { readWithheldTax } from '../tokens/withheld-tax.ts';
import { agreedBlockhash, agreedTransaction, provenBlockhash } from './agreed.ts';
import {
  accountTestimonies,
  type AccountTestimonies,
  type AgreedAccount,
  agreedAccounts,
  finalizedReading,
  type FinalizedReading,
} from './agreed-accounts.ts';
import { type Block, blockAt } from './block-at.ts';
import { answersOf, createEndpointSet, type EndpointSet, quorumAnswersOf } from './endpoints.ts';
import { borneOut, type Finding } from './borne-out.ts';
import { completeHistory, type SlotSpan } from './complete-history.ts';
import { anyTransaction, getTransaction, transactionResponse } from './find-transaction.ts';
import { finalizedAs, type StoredTransaction } from './finalized-transaction.ts';
import { createFinalHeadReader, type FinalHead } from './final-head.ts';
import { agreedEpoch, agreedHead, type ChainHead } from './head.ts';
import { askHistory, type HistoryEntry, type HistoryRange } from './history.ts';
import { createEndpoint, type RpcEndpoint } from './json-rpc.ts';
import { proveDead, type Verdict } from './prove-bundle-dead.ts';
import { type NonceCase, proveNonceSpent } from './prove-nonce-spent.ts';
import { createReadConnection } from './read-connection.ts';
import type { RecentBlockhash } from './recent-blockhash.ts';
import { sendWire, type SendReport } from './send-wire.ts';
import { BlockhashShape, EpochInfoShape, TextShape } from './shapes.ts';
import {
  type BundleSimulation,
  type BundleSimulationOptions,
  simulateBundle,
  type Simulation,
  type SimulationOptions,
  simulateTransaction,
} from './simulate.ts';
import { mostLamports } from './most-lamports.ts';
import { presentAccounts } from './present-accounts.ts';
import { createReachedSlots } from './reached-slot.ts';
import { createRentReader } from './rent.ts';
import { createStatusReader } from './status-reader.ts';
import {
  absentSignatures,
  type Commitment,
  signatureStatuses,
  type SignatureStatus,
  type StatusOptions,
} from './statuses.ts';
import type { LandedTransaction } from './transactions.ts';
import type { DeathCase } from './witness.ts';

/** How to reach the chain. */
export interface RpcOptions {
  /** JSON-RPC addresses, the preferred one first. Proofs ask two of them, or all where there are fewer. */
  readonly endpoints: readonly string[];
  /** Longest wait for one answer, in ms; default 10,000. */
  readonly timeoutMs?: number;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** A clock in ms; default `Date.now`. */
  readonly now?: () => number;
}

/** The chain as the platform reads it and hands it transactions. Calls reject with RpcUnavailableError when no endpoint answers. */
export interface Rpc {
  /** How many endpoints a truth needs: two, or one where only one is configured. */
  readonly quorum: number;
  /** For code that needs web3.js; reads only, no subscriptions. */
  readonly connection: Connection;
  /** The newest blockhash that any prompt endpoint knows at the commitment; default `confirmed`. */
  latestBlockhash(commitment?: Commitment): Promise<RecentBlockhash>;
  /** The furthest head that any prompt endpoint names: a hint. */
  head(commitment: Commitment): Promise<ChainHead>;
  /** How far a quorum of endpoints has come. What waits for a slot, or ends by one, asks this. Rejects when there is no quorum. */
  agreedHead(commitment: Commitment): Promise<ChainHead>;
  /** How far what one endpoint says may be noted. See `ReachedSlots`. */
  reachedSlot(commitment: Commitment): Promise<number>;
  /** Rejects with a SlotBeyondError where one endpoint named a slot that the chain is not near. See `ReachedSlots`. */
  assertReached(slot: number): Promise<void>;
  /** The slot of `agreedHead('finalized')`, mostly with its block's hash, at most a slot old: for who waits, or draws. Rejects when there is no quorum. */
  finalHead(): Promise<FinalHead>;
  /** What an account of so many bytes has to hold, lamports, by a quorum's word that is kept for a minute. Rejects without a quorum. */
  agreedRent(bytes: number): Promise<bigint>;
  /** The epoch that a quorum of endpoints is in, confirmed. Rejects when there is no quorum. */
  agreedEpoch(): Promise<bigint>;
  /** The confirmed block of a slot, as a quorum of endpoints has it. Rejects when no quorum does. */
  blockAt(slot: number): Promise<Block>;
  /** Hash of the first block, base58. Rejects when endpoints are of different chains. */
  genesisHash(): Promise<string>;
  sendWire(wire: Uint8Array): Promise<SendReport>;
  /**
   * What comes of reading one endpoint through a connection of its own: the first success, or a refusal that a quorum bears out, each by
   * itself. Rejects where neither comes about.
   */
  borneOut<T>(ask: (connection: Connection) => Promise<T>, findingOf: (answer: T) => Finding): Promise<T>;
  /** Place of the endpoint that is asked first by reads that one endpoint answers. */
  preference(): number;
  /** Has such reads go to another endpoint than this one first for a minute: what was made of its word failed. */
  readElsewhere(than: number): void;
  simulateTransaction(wire: Uint8Array, options?: SimulationOptions): Promise<Simulation>;
  simulateBundle(wires: readonly Uint8Array[], options?: BundleSimulationOptions): Promise<BundleSimulation>;
  signatureStatuses(signatures: readonly string[], options?: StatusOptions): Promise<(SignatureStatus | null)[]>;
  /**
   * The same of recent blocks alone, read together with what everybody else in this process has in flight: the reading begins after
   * this call, and at latest `withinMs` later. See `StatusReader`.
   */
  recentStatuses(signatures: readonly string[], withinMs: number): Promise<(SignatureStatus | null)[]>;
  /** Which of these signatures are in no block, by a quorum of endpoints that searched for them. Rejects when fewer answer. */
  absentSignatures(signatures: readonly string[]): Promise<ReadonlySet<string>>;
  /** What endpoints say of lanes, by mint (base58), at finalized slots. */
  readLanes(mints: readonly string[]): Promise<LaneReading>;
  /** The same without slots and heights, a call less to each; no value is of a slot before `sinceSlot`, default any. */
  readLaneValues(mints: readonly string[], sinceSlot?: number): Promise<LaneReading<LaneValues>>;
  /** A confirmed blockhash that a quorum of endpoints takes. */
  agreedBlockhash(): Promise<RecentBlockhash>;
  /** The same with slot and end as a quorum of endpoints has its block, for who promises both to others. */
  provenBlockhash(): Promise<RecentBlockhash>;
  /**
   * A transaction as a quorum of endpoints has it; null where no quorum does. What is booked comes from here. Default commitment
   * `finalized`.
   */
  agreedTransaction(signature: string, commitment?: 'confirmed' | 'finalized'): Promise<LandedTransaction | null>;
  /**
   * Finalized accounts by address (base58) as a quorum of endpoints has them, null where there is none; what no quorum agrees on
   * is left out.
   */
  agreedAccounts(addresses: readonly string[]): Promise<Map<string, AgreedAccount | null>>;
  /**
   * What each endpoint has at these addresses (base58): for accounts that others change at any moment. Default commitment `finalized`.
   * Rejects without a quorum.
   */
  accountTestimonies(addresses: readonly string[], commitment?: 'confirmed' | 'finalized'): Promise<AccountTestimonies>;
  /**
   * At which of these addresses (base58) data lies, finalized, by a quorum. Rejects without one, or where endpoints stand by different
   * words; what comes and goes counts as absent.
   */
  presentAccounts(addresses: readonly string[]): Promise<Set<string>>;
  /**
   * Up to 100 finalized accounts by one endpoint's word, and how far a quorum has come, with one call to each endpoint. Rejects without a
   * quorum.
   */
  finalizedReading(addresses: readonly string[]): Promise<FinalizedReading>;
  /** The least lamports at an address (base58), confirmed, of which a quorum of endpoints sees no more there. Rejects without a quorum. */
  mostLamports(address: string): Promise<bigint>;
  /** Who holds a token by the first endpoint that answers, the greatest `most` holders; default all. See `readHolders`. */
  holders(token: HoldersWanted, most?: number): Promise<HolderList>;
  /** Mints as a quorum of endpoints has them, null where there is none; one that nobody can change is read once. See `AgreedTokenReader`. */
  agreedTokens(mints: readonly PublicKey[]): Promise<(TokenInfo | null)[]>;
  /** Where transfer tax of a mint lies withheld, by the first endpoint that answers. See `readWithheldTax`. */
  withheldTax(mint: PublicKey, accounts?: readonly string[]): Promise<readonly WithheldIn[]>;
  /** What owners hold of a token, as far as a quorum of endpoints bears it out. Rejects when fewer answer. */
  agreedHolders(question: HoldersQuestion): Promise<AgreedHolders>;
  proveDead(question: DeathCase): Promise<Verdict>;
  /** The same for a transaction on a durable nonce, which no block height ends. */
  proveNonceSpent(question: NonceCase): Promise<Verdict>;
  /**
   * Whether a quorum has a finalized transaction that one endpoint told of as it `isSo`. See `finalizedAs` for what is too old. Rejects
   * when fewer answer.
   */
  finalizedAs(stored: StoredTransaction, isSo: (response: VersionedTransactionResponse) => boolean): Promise<boolean>;
  /** A landed transaction with its balance changes; null when no prompt endpoint has it. Default commitment `finalized`. */
  getTransaction(signature: string, commitment?: 'confirmed' | 'finalized'): Promise<LandedTransaction | null>;
  /** The same at `confirmed`, as any endpoint has it; null where a quorum has not got it and nobody has. Rejects when fewer answer. */
  anyTransaction(signature: string): Promise<LandedTransaction | null>;
  /** The same as web3.js would give it, with all balances before and after; null when no endpoint has it. */
  getTransactionResponse(
    signature: string,
    commitment: 'confirmed' | 'finalized',
  ): Promise<VersionedTransactionResponse | null>;
  /** Transactions that mention an address, newest first, as one endpoint has them: absence proves nothing. */
  historyOf(address: string, range?: HistoryRange): Promise<HistoryEntry[]>;
  /** The same as each endpoint that answers has them, a list for each. Rejects when none does. */
  historiesOf(address: string, range?: HistoryRange): Promise<HistoryEntry[][]>;
  /**
   * The same of a quorum at least. Rejects when fewer answer: with an error that says so (`saysTooLong`) where one of the others has more
   * entries than the limit.
   */
  quorumHistoriesOf(address: string, range?: HistoryRange): Promise<HistoryEntry[][]>;
  /**
   * The finalized transactions that mention an address in a span of slots, newest first, united from a quorum of endpoints
   * that have the whole span: what is not among them did not happen. Rejects when there is no quorum.
   */
  completeHistoryOf(address: string, span: SlotSpan): Promise<HistoryEntry[]>;
}

/** Opens no connection by itself. Throws when an endpoint is no URL or there is none. */
export function createRpc(options: RpcOptions): Rpc {
  const { timeoutMs = 10_000, fetch = globalThis.fetch, now = Date.now } = options;
  const endpoints = createEndpointSet(
    options.endpoints.map((url, index) => createEndpoint({ url, index, timeoutMs, fetch })),
    now,
  );
  const connectionTo = (endpoint: RpcEndpoint) =>
    createReadConnection(createEndpointSet([endpoint], now), timeoutMs, fetch);
  const rents = createRentReader(endpoints, now);
  const reachedSlots = createReachedSlots(endpoints, now);
  const finalHeads = createFinalHeadReader(endpoints, now);
  const tokens = createAgreedTokenReader({
    accountTestimonies: (addresses, commitment) => accountTestimonies(endpoints, addresses, commitment),
    agreedEpoch: () => agreedEpoch(endpoints),
  });
  const recent = createStatusReader((signatures) => signatureStatuses(endpoints, signatures, { search: false }));
  return {
    quorum: endpoints.quorum,
    connection: createReadConnection(endpoints, timeoutMs, fetch),
    latestBlockhash: (commitment = 'confirmed') => latestBlockhash(endpoints, commitment),
    head: (commitment) => head(endpoints, commitment),
    agreedHead: (commitment) => agreedHead(endpoints, commitment),
    reachedSlot: (commitment) => reachedSlots.reached(commitment),
    assertReached: (slot) => reachedSlots.assertReached(slot),
    finalHead: () => finalHeads.read(),
    agreedEpoch: () => agreedEpoch(endpoints),
    agreedRent: (bytes) => rents.read(bytes),
    blockAt: (slot) => blockAt(endpoints, slot),
    genesisHash: () => genesisHash(endpoints),
    sendWire: (wire) => sendWire(endpoints, wire),
    borneOut: (ask, findingOf) => borneOut(endpoints, (endpoint) => ask(connectionTo(endpoint)), findingOf),
    preference: () => endpoints.preference(),
    readElsewhere: (than) => endpoints.readElsewhere(than),
    simulateTransaction: (wire, how) => simulateTransaction(endpoints, wire, how),
    simulateBundle: (wires, how) => simulateBundle(endpoints, wires, how),
    signatureStatuses: (signatures, how) => signatureStatuses(endpoints, signatures, how),
    recentStatuses: (signatures, withinMs) => recent.read(signatures, withinMs),
    absentSignatures: (signatures) => absentSignatures(endpoints, signatures),
    readLanes: (mints) => readLanes(endpoints, mints),
    readLaneValues: (mints, sinceSlot = 0) => readLaneValues(endpoints, mints, sinceSlot),
    agreedBlockhash: () => agreedBlockhash(endpoints),
    provenBlockhash: () => provenBlockhash(endpoints),
    agreedTransaction: (signature, commitment = 'finalized') => agreedTransaction(endpoints, signature, commitment),
    agreedAccounts: (addresses) => agreedAccounts(endpoints, addresses),
    accountTestimonies: (addresses, commitment) => accountTestimonies(endpoints, addresses, commitment),
    presentAccounts: (addresses) => presentAccounts(endpoints, addresses),
    finalizedReading: (addresses) => finalizedReading(endpoints, addresses),
    mostLamports: (address) => mostLamports(endpoints, address),
    holders: (token, most) => readHolders(endpoints, token, most),
    agreedTokens: (mints) => tokens.read(mints),
    withheldTax: (mint, accounts) => readWithheldTax(endpoints, mint, accounts),
    agreedHolders: (question) => agreedHolders(endpoints, question),
    proveDead: (question) => proveDead(endpoints, question),
    proveNonceSpent: (question) => proveNonceSpent(endpoints, question),
    finalizedAs: (stored, isSo) => finalizedAs(endpoints, stored, isSo),
    getTransaction: (signature, commitment = 'finalized') => getTransaction(endpoints, signature, commitment),
    anyTransaction: (signature) => anyTransaction(endpoints, signature),
    getTransactionResponse: (signature, commitment) => transactionResponse(endpoints, signature, commitment),
    historiesOf: async (address, range) =>
      answersOf(await endpoints.everyReply((endpoint) => askHistory(endpoint, address, range))),
    quorumHistoriesOf: async (address, range) => {
      const replies = await endpoints.everyReply((endpoint) => askHistory(endpoint, address, range));
      return quorumAnswersOf(endpoints, replies, `what the history of ${address} is`);
    },
    historyOf: (address, range) => endpoints.read((endpoint) => askHistory(endpoint, address, range)),
    completeHistoryOf: (address, span) => completeHistory(endpoints, address, span),
  };
}

async function latestBlockhash(endpoints: EndpointSet, commitment: Commitment): Promise<RecentBlockhash> {
  const replies = await endpoints.promptReplies((endpoint) =>
    endpoint.call('getLatestBlockhash', [{ commitment }], BlockhashShape),
  );
  const { value, context } = highest(answersOf(replies), (answer) => answer.value.lastValidBlockHeight);
  return { ...value, slot: context.slot };
}

async function head(endpoints: EndpointSet, commitment: Commitment): Promise<ChainHead> {
  const replies = await endpoints.promptReplies((endpoint) =>
    endpoint.call('getEpochInfo', [{ commitment }], EpochInfoShape),
  );
  const { absoluteSlot, blockHeight } = highest(answersOf(replies), (answer) => answer.absoluteSlot);
  return { slot: absoluteSlot, blockHeight };
}

function highest<T>(values: readonly T[], rank: (value: T) => number): T {
  return values.reduce((best, value) => (rank(value) > rank(best) ? value : best));
}

async function genesisHash(endpoints: EndpointSet): Promise<string> {
  const hashes = new Set(
    answersOf(await endpoints.everyReply((endpoint) => endpoint.call('getGenesisHash', [], TextShape))),
  );
  const [hash, ...others] = hashes;
  if (hash === undefined || others.length > 0) {
    throw new Error(`RPC endpoints are of different chains: genesis hashes ${[...hashes].join(', ')}`);
  }
  return hash;
}
