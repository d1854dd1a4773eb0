import type { Connection, PublicKey, VersionedTransactionResponse } from '@solana/web3.js';
import { type LaneReading, type LaneValues, readLanes, readLaneValues } from '../lanes/lane-reading.ts';
import { createAgreedTokenReader } from '../tokens/agreed-tokens.ts';
import { type AgreedHolders, agreedHolders, type HoldersQuestion } from '../tokens/agreed-holders.ts';
import type { WithheldIn } from '../tokens/holder-answer.ts';
import { type HolderList, type HoldersWanted, readHolders } from '../tokens/holders.ts';
import { readWithheldTax } from '../tokens/withheld-tax.ts';
import {
  anyLandedSince,
  landedSince,
  type Presence,
  presenceSince,
  type Span,
  wholeHistory,
  type WholeRange,
} from './absence.ts';
import { agreedBlockhash, agreedTransaction, provenBlockhash } from './agreed.ts';
import {
  accountsByEndpoint,
  type AccountsByEndpoint,
  type AgreedAccount,
  agreedAccounts,
  finalizedReading,
  type FinalizedReading,
} from './agreed-accounts.ts';
import { type Block, blockAt } from './block-at.ts';
import { answersOf, createEndpointSet, type EndpointSet } from './endpoints.ts';
import { confirmedByQuorum, type Finding, foundByQuorum } from './confirmed-by-quorum.ts';
import { getTransaction, transactionResponse } from './find-transaction.ts';
import { finalizedAs, type StoredTransaction } from './finalized-transaction.ts';
import { createFinalHeadReader } from './final-head.ts';
import { type FinalMoment, finalMoment } from './final-moment.ts';
import { createFirstBlockReader, type FirstBlock } from './first-block.ts';
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
import { leastLamports, mostLamports } from './lamport-bounds.ts';
import { presentAccounts } from './present-accounts.ts';
import { createReachedSlots } from './reached-slot.ts';
import { createBlockPace } from './block-pace.ts';
import { createRentReader } from './rent.ts';
import { createStatusReader } from './status-reader.ts';
import { type Commitment, signatureStatuses, type SignatureStatus, type StatusOptions } from './statuses.ts';
import type { LandedTransaction } from './transactions.ts';
import type { DeathCase } from './witness.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface RpcOptions {
  /** Preferred first. Proofs ask all and need two, or one if only one is configured. */
  readonly endpoints: readonly string[];
  /** ms; default 10,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** ms; default `Date.now`. */
  readonly now?: () => number;
}

/** Answers of one endpoint, or of any prompt one: hints that decide nothing. */
export interface HintReads {
  /** For code that needs web3.js; reads only, no subscriptions. */
  readonly connection: Connection;
  /** Index of the endpoint that `read` asks first. */
  preference(): number;
  /** See `EndpointSet.preferOtherEndpoint`. */
  preferOtherEndpoint(than: number): void;
  /** Reads from any prompt endpoint; default `confirmed`. */
  latestBlockhash(commitment?: Commitment): Promise<RecentBlockhash>;
  /** Reads from any prompt endpoint: a hint. */
  head(commitment: Commitment): Promise<ChainHead>;
  signatureStatuses(signatures: readonly string[], options?: StatusOptions): Promise<(SignatureStatus | null)[]>;
  /** Reads recent blocks only, batched; the read begins after this call, within `withinMs`. See `StatusReader`. */
  recentStatuses(signatures: readonly string[], withinMs: number): Promise<(SignatureStatus | null)[]>;
  /** Null if no prompt endpoint has it, which proves nothing. Default `finalized`. */
  getTransaction(signature: string, commitment?: 'confirmed' | 'finalized'): Promise<LandedTransaction | null>;
  /** Returns web3.js's form, with balances before and after. */
  getTransactionResponse(
    signature: string,
    commitment: 'confirmed' | 'finalized',
  ): Promise<VersionedTransactionResponse | null>;
  /** Reads newest first, at one endpoint: absence proves nothing. */
  historyOf(address: string, range?: HistoryRange): Promise<HistoryEntry[]>;
  /** Reads one list per responding endpoint. */
  historiesOf(address: string, range?: HistoryRange): Promise<HistoryEntry[][]>;
}

/** Answers that a quorum of endpoints shares. */
export interface QuorumReads {
  /** Two, or one if only one is configured. */
  readonly quorum: number;
  /** Reads the newest final block and its time by a quorum: see `finalMoment`. */
  finalMoment(): Promise<FinalMoment>;
  /** Returns base58. Rejects when endpoints are on different chains. */
  genesisHash(): Promise<string>;
  /** Reads the head by a quorum, for waits and deadlines. */
  agreedHead(commitment: Commitment): Promise<ChainHead>;
  /** Reads the confirmed epoch by a quorum. */
  agreedEpoch(): Promise<bigint>;
  /** Rent-exempt minimum of so many bytes, lamports, by a quorum; cached for a minute. */
  agreedRent(bytes: number): Promise<bigint>;
  /** Reads a confirmed block by a quorum. */
  blockAt(slot: number): Promise<Block>;
  agreedBlockhash(): Promise<RecentBlockhash>;
  /** Like `agreedBlockhash`, with slot and end by a quorum, for promises to clients. */
  provenBlockhash(): Promise<RecentBlockhash>;
  /** Returns what a quorum has, or null. All records are made from it. Default `finalized`. */
  agreedTransaction(signature: string, commitment?: 'confirmed' | 'finalized'): Promise<LandedTransaction | null>;
  agreedAccounts(addresses: readonly string[]): Promise<Map<string, AgreedAccount | null>>;
  /** Reads accounts that may change at any moment. Default `finalized`. */
  accountsByEndpoint(addresses: readonly string[], commitment?: 'confirmed' | 'finalized'): Promise<AccountsByEndpoint>;
  presentAccounts(addresses: readonly string[]): Promise<Set<string>>;
  finalizedReading(addresses: readonly string[]): Promise<FinalizedReading>;
  /** Smallest upper bound that a quorum confirms: shows that lamports are missing. */
  mostLamports(address: string): Promise<bigint>;
  /** Largest lower bound that a quorum confirms: shows that lamports may be spent. */
  leastLamports(address: string): Promise<bigint>;
}

/** How far the chain is, for values that are stored or waited for. */
export interface SlotReads {
  /** Reads the finalized head by a quorum, at most a slot old. */
  finalHead(): Promise<number>;
  /** See `FirstBlockReader`. */
  firstBlock(slot: number): Promise<FirstBlock>;
  /** Checks a slot before it is stored: see `ReachedSlots`. */
  reachedSlot(commitment: Commitment): Promise<number>;
  /** Rejects with SlotBeyondError: see `ReachedSlots`. */
  assertReached(slot: number): Promise<void>;
  blockMs(): Promise<number>;
}

/** Rejects rather than guesses. */
export interface Proofs {
  /** Rejects with UnknownError if it cannot be proven. */
  presenceSince(signatures: readonly string[], span: Span): Promise<ReadonlyMap<string, Presence>>;
  /**
   * Returns a transaction that a quorum has at `confirmed`; null if proven absent. Rejects with UnknownError if
   * neither.
   */
  landedSince(signature: string, span: Span): Promise<LandedTransaction | null>;
  /** Like `landedSince`, but trusts any endpoint. */
  anyLandedSince(signature: string, span: Span): Promise<LandedTransaction | null>;
  /** See `wholeHistory`. */
  wholeHistoryOf(address: string, range: WholeRange): Promise<HistoryEntry[]>;
  proveDead(question: DeathCase): Promise<Verdict>;
  /** Judges transactions that no block height ends. */
  proveNonceSpent(question: NonceCase): Promise<Verdict>;
  /** True if a quorum confirms `isSo`: see `finalizedAs` for old ones. */
  finalizedAs(stored: StoredTransaction, isSo: (response: VersionedTransactionResponse) => boolean): Promise<boolean>;
  /** The first success, or a refusal by a quorum. */
  confirmedByQuorum<T>(ask: (connection: Connection) => Promise<T>, findingOf: (answer: T) => Finding): Promise<T>;
  foundByQuorum<T>(
    ask: (connection: Connection) => Promise<T>,
    findingOf: (answer: T) => Finding,
  ): Promise<readonly T[]>;
}

export interface Sending {
  sendWire(wire: Uint8Array): Promise<SendReport>;
  simulateTransaction(wire: Uint8Array, options?: SimulationOptions): Promise<Simulation>;
  simulateBundle(wires: readonly Uint8Array[], options?: BundleSimulationOptions): Promise<BundleSimulation>;
}

export interface LaneReads {
  /** Reads lanes by mint (base58), at finalized slots. */
  readLanes(mints: readonly string[]): Promise<LaneReading>;
  /** Like `readLanes` without slots and heights, a call less per endpoint; no value is older than `sinceSlot`. */
  readLaneValues(mints: readonly string[], sinceSlot?: number): Promise<LaneReading<LaneValues>>;
}

export interface TokenReads {
  /** Reads tokens by a quorum, null where absent: see `AgreedTokenReader`. */
  agreedTokens(mints: readonly PublicKey[]): Promise<(TokenInfo | null)[]>;
  /** Balances as far as a quorum confirms them. */
  agreedHolders(question: HoldersQuestion): Promise<AgreedHolders>;
  /** Reads the largest `most` from the first endpoint that responds: see `readHolders`. */
  holders(token: HoldersWanted, most?: number): Promise<HolderList>;
  /** Reads from the first endpoint that responds: see `readWithheldTax`. */
  withheldTax(mint: PublicKey, accounts?: readonly string[]): Promise<readonly WithheldIn[]>;
}

/**
 * Everything that the configured endpoints answer; a caller takes the ports that it needs. Calls reject with
 * RpcUnavailableError when no endpoint responds, and "by a quorum" without one.
 */
export interface Rpc extends HintReads, QuorumReads, SlotReads, Proofs, Sending, LaneReads, TokenReads {}

/** Opens no connection. Throws for an invalid URL. */
export function createRpc(options: RpcOptions): Rpc {
  const { timeoutMs = 10_000, fetch = globalThis.fetch, now = Date.now } = options;
  const endpoints = createEndpointSet(
    options.endpoints.map((url, index) => createEndpoint({ url, index, timeoutMs, fetch })),
    now,
  );
  const connections = new Map(
    endpoints.all.map((one) => [one, createReadConnection(createEndpointSet([one], now), timeoutMs, fetch)]),
  );
  const connectionTo = (endpoint: RpcEndpoint) => connections.get(endpoint)!;
  const rents = createRentReader(endpoints, now);
  const pace = createBlockPace(endpoints, now);
  const reachedSlots = createReachedSlots(endpoints, now);
  const finalHeads = createFinalHeadReader(endpoints, now);
  const firstBlocks = createFirstBlockReader(endpoints);
  const tokens = createAgreedTokenReader({
    accountsByEndpoint: (addresses, commitment) => accountsByEndpoint(endpoints, addresses, commitment),
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
    finalMoment: () => finalMoment(endpoints),
    firstBlock: (slot) => firstBlocks.read(slot),
    agreedEpoch: () => agreedEpoch(endpoints),
    agreedRent: (bytes) => rents.read(bytes),
    blockMs: () => pace.blockMs(),
    blockAt: (slot) => blockAt(endpoints, slot),
    genesisHash: () => genesisHash(endpoints),
    sendWire: (wire) => sendWire(endpoints, wire),
    confirmedByQuorum: (ask, findingOf) =>
      confirmedByQuorum(endpoints, (endpoint) => ask(connectionTo(endpoint)), findingOf),
    foundByQuorum: (ask, findingOf) => foundByQuorum(endpoints, (endpoint) => ask(connectionTo(endpoint)), findingOf),
    preference: () => endpoints.preference(),
    preferOtherEndpoint: (than) => endpoints.preferOtherEndpoint(than),
    simulateTransaction: (wire, how) => simulateTransaction(endpoints, wire, how),
    simulateBundle: (wires, how) => simulateBundle(endpoints, wires, how),
    signatureStatuses: (signatures, how) => signatureStatuses(endpoints, signatures, how),
    recentStatuses: (signatures, withinMs) => recent.read(signatures, withinMs),
    presenceSince: (signatures, span) => presenceSince(endpoints, signatures, span),
    landedSince: (signature, span) => landedSince(endpoints, signature, span),
    anyLandedSince: (signature, span) => anyLandedSince(endpoints, signature, span),
    wholeHistoryOf: (address, range) => wholeHistory(endpoints, address, range),
    readLanes: (mints) => readLanes(endpoints, mints),
    readLaneValues: (mints, sinceSlot = 0) => readLaneValues(endpoints, mints, sinceSlot),
    agreedBlockhash: () => agreedBlockhash(endpoints),
    provenBlockhash: () => provenBlockhash(endpoints),
    agreedTransaction: (signature, commitment = 'finalized') => agreedTransaction(endpoints, signature, commitment),
    agreedAccounts: (addresses) => agreedAccounts(endpoints, addresses),
    accountsByEndpoint: (addresses, commitment) => accountsByEndpoint(endpoints, addresses, commitment),
    presentAccounts: (addresses) => presentAccounts(endpoints, addresses),
    finalizedReading: (addresses) => finalizedReading(endpoints, addresses),
    mostLamports: (address) => mostLamports(endpoints, address),
    leastLamports: (address) => leastLamports(endpoints, address),
    holders: (token, most) => readHolders(endpoints, token, most),
    agreedTokens: (mints) => tokens.read(mints),
    withheldTax: (mint, accounts) => readWithheldTax(endpoints, mint, accounts),
    agreedHolders: (question) => agreedHolders(endpoints, question),
    proveDead: (question) => proveDead(endpoints, question),
    proveNonceSpent: (question) => proveNonceSpent(endpoints, question),
    finalizedAs: (stored, isSo) => finalizedAs(endpoints, stored, isSo),
    getTransaction: (signature, commitment = 'finalized') => getTransaction(endpoints, signature, commitment),
    getTransactionResponse: (signature, commitment) => transactionResponse(endpoints, signature, commitment),
    historiesOf: async (address, range) =>
      answersOf(await endpoints.everyReply((endpoint) => askHistory(endpoint, address, range))),
    historyOf: (address, range) => endpoints.read((endpoint) => askHistory(endpoint, address, range)),
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
