import {
  type AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { type Localnet, type LocalnetOptions, startLocalnet } from '../../../dev/localnet/index.ts';

/** A JSON-RPC error as a client sees it. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Record<string, unknown>;
}

/** A value in the envelope that says at which slot it was read. */
export interface Value<T> {
  readonly context: { readonly slot: number };
  readonly value: T;
}

/** Status of a signature. */
export interface Status {
  readonly slot: number;
  readonly err: unknown;
  readonly confirmations: number | null;
  readonly confirmationStatus: string;
}

/** A token balance of a transaction's record. */
export interface TokenBalanceJson {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number; readonly uiAmountString: string };
}

/** What happened to a transaction. */
export interface Meta {
  readonly err: unknown;
  readonly status: unknown;
  readonly fee: number;
  readonly computeUnitsConsumed: number;
  readonly preBalances: number[];
  readonly postBalances: number[];
  readonly preTokenBalances: TokenBalanceJson[];
  readonly postTokenBalances: TokenBalanceJson[];
  readonly logMessages: string[];
  readonly loadedAddresses?: unknown;
  readonly innerInstructions: { readonly index: number; readonly instructions: Record<string, unknown>[] }[];
}

/** A landed transaction. */
export interface Landed {
  readonly slot: number;
  readonly blockTime: number;
  readonly version?: unknown;
  readonly meta: Meta;
  readonly transaction: { readonly message: { readonly accountKeys: unknown[] }; readonly signatures: string[] };
}

/** A commitment's name. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

interface Answer {
  readonly result?: unknown;
  readonly error?: RpcFailure;
}

/** A chain whose slots move only when the test says so, with a funded wallet and a client. */
export interface TestChain {
  readonly node: Localnet;
  readonly wallet: Keypair;
  /** Calls a method; the test fails when it answers with an error. */
  call<T>(method: string, params?: unknown[] | object, endpoint?: string): Promise<T>;
  /** Calls a method that must answer with an error. */
  failure(method: string, params?: unknown[] | object, endpoint?: string): Promise<RpcFailure>;
  slot(commitment: Commitment, endpoint?: string): Promise<number>;
  height(commitment: Commitment): Promise<number>;
  /** Lamports of an address. */
  balance(address: PublicKey, commitment?: Commitment, endpoint?: string): Promise<number>;
  latestBlockhash(commitment?: Commitment): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  statuses(signatures: string[], searchTransactionHistory?: boolean, endpoint?: string): Promise<(Status | null)[]>;
  /** A confirmed transaction. */
  transaction(signature: string, options?: Record<string, unknown>): Promise<Landed>;
  /** Data of an account at processed. */
  accountData(address: PublicKey): Promise<Buffer>;
  /** Moves the chain on. */
  advance(slots: number): void;
  /** A signed transaction with the latest confirmed blockhash. */
  sign(instructions: TransactionInstruction[], options?: SignOptions): Promise<VersionedTransaction>;
  /** Sends without preflight; returns the signature. */
  land(transaction: VersionedTransaction): Promise<string>;
  /** Signs, sends without preflight and moves one slot on; returns the signature. */
  run(instructions: TransactionInstruction[], options?: SignOptions): Promise<string>;
  /** A finalized-for-all-purposes wallet with lamports. */
  fundedWallet(lamports?: bigint): Keypair;
}

export interface SignOptions {
  readonly payer?: Keypair;
  readonly signers?: Keypair[];
  readonly blockhash?: string;
  readonly tables?: AddressLookupTableAccount[];
}

export const SOL = 1_000_000_000n;

/** Base64 of a transaction. */
export function base64(transaction: VersionedTransaction): string {
  return Buffer.from(transaction.serialize()).toString('base64');
}

/** First signature of a signed transaction. */
export function signatureOf(transaction: VersionedTransaction): string {
  return bs58.encode(transaction.signatures[0] ?? new Uint8Array());
}

export function transfer(from: Keypair, to: PublicKey, lamports: bigint): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });
}

/** A fresh wallet's address. */
export function someone(): PublicKey {
  return Keypair.generate().publicKey;
}

async function post(node: Localnet, endpoint: string | undefined, body: unknown): Promise<Answer> {
  const url = endpoint === undefined ? node.rpcUrl : `${node.rpcUrl}/rpc/${endpoint}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}

type Call = TestChain['call'];
type Readers = Pick<
  TestChain,
  'slot' | 'height' | 'balance' | 'latestBlockhash' | 'statuses' | 'transaction' | 'accountData'
>;

function readersOf(call: Call): Readers {
  return {
    slot: (commitment, endpoint) => call('getSlot', [{ commitment }], endpoint),
    height: (commitment) => call('getBlockHeight', [{ commitment }]),
    async balance(address, commitment = 'processed', endpoint) {
      return (await call<Value<number>>('getBalance', [address.toBase58(), { commitment }], endpoint)).value;
    },
    async latestBlockhash(commitment = 'confirmed') {
      const { value } = await call<Value<Awaited<ReturnType<Readers['latestBlockhash']>>>>('getLatestBlockhash', [
        { commitment },
      ]);
      return value;
    },
    async statuses(signatures, searchTransactionHistory = false, endpoint) {
      const params = [signatures, { searchTransactionHistory }];
      return (await call<Value<(Status | null)[]>>('getSignatureStatuses', params, endpoint)).value;
    },
    transaction: (signature, options = {}) =>
      call('getTransaction', [signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0, ...options }]),
    async accountData(address) {
      const options = { encoding: 'base64', commitment: 'processed' };
      const { value } = await call<Value<{ data: [string] }>>('getAccountInfo', [address.toBase58(), options]);
      return Buffer.from(value.data[0], 'base64');
    },
  };
}

/** Starts a chain; slots stand still unless `slotMs` says otherwise. */
export async function startChain(options: LocalnetOptions = {}): Promise<TestChain> {
  const node = await startLocalnet({ slotMs: 0, ...options });
  const fundedWallet = (lamports = 100n * SOL): Keypair => {
    const wallet = Keypair.generate();
    const account = { lamports, data: new Uint8Array(), owner: PublicKey.default.toBase58(), executable: false };
    node.control.setAccounts([[wallet.publicKey.toBase58(), account]]);
    return wallet;
  };
  const wallet = fundedWallet();
  const request = (method: string, params: unknown[] | object) => ({ jsonrpc: '2.0', id: 1, method, params });
  const call = async <T>(method: string, params: unknown[] | object = [], endpoint?: string): Promise<T> => {
    const answer = await post(node, endpoint, request(method, params));
    if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result as T;
  };
  const chain: TestChain = {
    node,
    wallet,
    fundedWallet,
    call,
    ...readersOf(call),
    async failure(method, params = [], endpoint) {
      const answer = await post(node, endpoint, request(method, params));
      if (!answer.error) throw new Error(`${method} answered ${JSON.stringify(answer.result)}`);
      return answer.error;
    },
    advance: (slots) => node.control.advanceSlots(slots),
    async sign(instructions, { payer = wallet, signers = [], blockhash, tables = [] } = {}) {
      const recentBlockhash = blockhash ?? (await chain.latestBlockhash()).blockhash;
      const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions });
      const transaction = new VersionedTransaction(message.compileToV0Message(tables));
      transaction.sign([payer, ...signers]);
      return transaction;
    },
    land: (transaction) =>
      chain.call('sendTransaction', [base64(transaction), { encoding: 'base64', skipPreflight: true }]),
    async run(instructions, how) {
      const signature = await chain.land(await chain.sign(instructions, how));
      chain.advance(1);
      return signature;
    },
  };
  return chain;
}

/** Calls with several requests in one body. */
export async function batch(chain: TestChain, requests: unknown): Promise<unknown> {
  return post(chain.node, undefined, requests);
}
