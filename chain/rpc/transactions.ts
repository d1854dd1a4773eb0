import { PublicKey, type TokenBalance, VersionedTransaction, type VersionedTransactionResponse } from '@solana/web3.js';
import bs58 from 'bs58';
import { signatureOf } from '../transactions/compile.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import { type TokenBalanceAnswer, type TransactionAnswer, TransactionShape } from './shapes.ts';

export interface TokenChange {
  readonly account: string;
  readonly mint: string;
  /** Null if the endpoint does not report it. */
  readonly owner: string | null;
  /** Raw units. */
  readonly change: bigint;
}

export interface LandedTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds. */
  readonly blockTime: number | null;
  readonly err: unknown;
  /** Lamports, part of the fee payer's change. */
  readonly fee: bigint;
  /** Whole and signed, byte for byte. */
  readonly wire: Uint8Array;
  readonly message: Uint8Array;
  /** By address. */
  readonly lamportChanges: ReadonlyMap<string, bigint>;
  readonly tokenChanges: readonly TokenChange[];
  /** Base58, writable ones first. */
  readonly loadedAddresses: readonly string[];
  readonly logs: readonly string[];
}

/** @throws RpcAnswerError, RpcUnavailableError */
export async function askTransaction(
  endpoint: RpcEndpoint,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<LandedTransaction | null> {
  const answer = await callTransaction(endpoint, signature, commitment);
  return answer && readTransaction(endpoint, signature, answer);
}

/**
 * Reads web3.js's form, with instructions, logs and all balances.
 *
 * @throws RpcAnswerError, RpcUnavailableError
 */
export async function askTransactionResponse(
  endpoint: RpcEndpoint,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<VersionedTransactionResponse | null> {
  const answer = await callTransaction(endpoint, signature, commitment);
  return answer && responseOf(deserialize(endpoint, signature, answer.transaction[0]), answer);
}

function callTransaction(endpoint: RpcEndpoint, signature: string, commitment: 'confirmed' | 'finalized') {
  const options = { commitment, encoding: 'base64', maxSupportedTransactionVersion: 0 };
  return endpoint.call('getTransaction', [signature, options], TransactionShape);
}

function responseOf(
  { message, signatures }: VersionedTransaction,
  { slot, blockTime, meta }: TransactionAnswer,
): VersionedTransactionResponse {
  const keys = (addresses: readonly string[] = []) => addresses.map((address) => new PublicKey(address));
  const { writable, readonly } = meta.loadedAddresses ?? {};
  return {
    slot,
    blockTime: blockTime ?? null,
    version: message.version,
    transaction: { message, signatures: signatures.map((bytes) => bs58.encode(bytes)) },
    meta: {
      fee: Number(meta.fee),
      err: meta.err ?? null,
      preBalances: meta.preBalances.map(Number),
      postBalances: meta.postBalances.map(Number),
      preTokenBalances: (meta.preTokenBalances ?? []).map(tokenBalanceOf),
      postTokenBalances: (meta.postTokenBalances ?? []).map(tokenBalanceOf),
      logMessages: meta.logMessages ?? null,
      innerInstructions: meta.innerInstructions ?? null,
      loadedAddresses: { writable: keys(writable), readonly: keys(readonly) },
    },
  };
}

function tokenBalanceOf({ owner, uiTokenAmount, ...balance }: TokenBalanceAnswer): TokenBalance {
  return { ...balance, ...(owner !== undefined && { owner }), uiTokenAmount: { ...uiTokenAmount, uiAmount: null } };
}

function readTransaction(endpoint: RpcEndpoint, signature: string, answer: TransactionAnswer): LandedTransaction {
  const { meta, slot, blockTime } = answer;
  const transaction = deserialize(endpoint, signature, answer.transaction[0]);
  const loadedAddresses = [...(meta.loadedAddresses?.writable ?? []), ...(meta.loadedAddresses?.readonly ?? [])];
  const addresses = [...transaction.message.staticAccountKeys.map((key) => key.toBase58()), ...loadedAddresses];
  if (addresses.length !== meta.preBalances.length || addresses.length !== meta.postBalances.length) {
    throw new RpcUnavailableError(`${endpoint.name} answered balances of other accounts for transaction ${signature}`);
  }
  return {
    signature,
    slot,
    blockTime: blockTime ?? null,
    err: meta.err ?? null,
    fee: BigInt(meta.fee),
    wire: transaction.serialize(),
    message: transaction.message.serialize(),
    lamportChanges: lamportChanges(addresses, meta),
    tokenChanges: tokenChanges(addresses, meta.preTokenBalances ?? [], meta.postTokenBalances ?? []),
    loadedAddresses,
    logs: meta.logMessages ?? [],
  };
}

function deserialize(endpoint: RpcEndpoint, signature: string, wire: string): VersionedTransaction {
  const transaction = decode(wire);
  if (transaction === null || signatureOf(transaction) !== signature) {
    throw new RpcUnavailableError(`${endpoint.name} answered something else than transaction ${signature}`);
  }
  return transaction;
}

function decode(wire: string): VersionedTransaction | null {
  try {
    return VersionedTransaction.deserialize(Buffer.from(wire, 'base64'));
  } catch {
    return null;
  }
}

function lamportChanges(
  addresses: readonly string[],
  { preBalances, postBalances }: TransactionAnswer['meta'],
): Map<string, bigint> {
  const change = (index: number) => BigInt(postBalances[index] ?? 0) - BigInt(preBalances[index] ?? 0);
  return new Map(addresses.map((address, index) => [address, change(index)]));
}

function tokenChanges(
  addresses: readonly string[],
  before: readonly TokenBalanceAnswer[],
  after: readonly TokenBalanceAnswer[],
): TokenChange[] {
  const changes = new Map<string, TokenChange>();
  const add = (balance: TokenBalanceAnswer, sign: bigint) => {
    const account = addresses[balance.accountIndex] ?? '';
    const key = `${account}/${balance.mint}`;
    const change = (changes.get(key)?.change ?? 0n) + sign * BigInt(balance.uiTokenAmount.amount);
    changes.set(key, { account, mint: balance.mint, owner: balance.owner ?? null, change });
  };
  for (const balance of before) add(balance, -1n);
  for (const balance of after) add(balance, 1n);
  return [...changes.values()].filter(({ change }) => change !== 0n);
}
