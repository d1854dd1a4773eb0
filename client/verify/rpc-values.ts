import { isRecord } from '../http/shape.ts';
import { fromBase64 } from '../solana/bytes.ts';
import type { AccountState, Block, Listed } from './chain.ts';
import type { LandedFacts, TokenBalance } from './landed.ts';

/** A response that does not fit the request. */
export class ShapeError extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'ShapeError';
  }
}

/** The endpoint answered with an error. */
export class RefusedError extends ShapeError {
  constructor(error: unknown) {
    super(`it refused: ${JSON.stringify(error)}`);
    this.name = 'RefusedError';
  }
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new ShapeError(`${what} is no object`);
}

function list(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ShapeError(`${what} is no list`);
}

/** @throws ShapeError */
export function text(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new ShapeError(`${what} is no text`);
}

/**
 * Reads an integer from 0 to 2^53 - 1.
 *
 * @throws ShapeError
 */
export function whole(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ShapeError(`${what} is no whole number`);
}

/** Null above 2^53 - 1 (nine million SOL): a JSON number is not exact there. */
function lamportsOf(value: unknown): bigint | null {
  if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER) return null;
  return BigInt(whole(value, 'a balance in lamports'));
}

/**
 * Parses `getTransaction` in base64.
 *
 * @throws ShapeError
 */
export function transactionOf(result: unknown): LandedFacts | null {
  if (result === null) return null;
  const { slot, meta, transaction } = record(result, 'the transaction');
  const facts = record(meta, 'meta');
  const loaded = isRecord(facts['loadedAddresses']) ? facts['loadedAddresses'] : { writable: [], readonly: [] };
  return {
    slot: whole(slot, 'slot'),
    hasFailed: facts['err'] !== null,
    wire: base64Of(transaction, 'transaction'),
    loaded: { writable: texts(loaded['writable'], 'writable'), readonly: texts(loaded['readonly'], 'readonly') },
    tokensBefore: tokensOf(facts['preTokenBalances'], 'preTokenBalances'),
    tokensAfter: tokensOf(facts['postTokenBalances'], 'postTokenBalances'),
    lamportsBefore: list(facts['preBalances'], 'preBalances').map(lamportsOf),
    lamportsAfter: list(facts['postBalances'], 'postBalances').map(lamportsOf),
  };
}

function texts(value: unknown, what: string): string[] {
  return list(value, what).map((one) => text(one, what));
}

function base64Of(value: unknown, what: string): Uint8Array {
  const [encoded, encoding] = list(value, what);
  if (encoding !== 'base64') throw new ShapeError(`${what} is not in base64`);
  return fromBase64(text(encoded, what));
}

function tokensOf(value: unknown, what: string): TokenBalance[] {
  return list(value, what).map((one) => {
    const { accountIndex, mint, owner, uiTokenAmount } = record(one, what);
    const raw = text(record(uiTokenAmount, what)['amount'], what);
    if (!/^\d+$/.test(raw)) throw new ShapeError(`${what} has the amount ${raw}`);
    const index = whole(accountIndex, what);
    return { accountIndex: index, mint: text(mint, what), owner: text(owner, what), raw: BigInt(raw) };
  });
}

/**
 * Parses `getSignaturesForAddress`.
 *
 * @throws ShapeError
 */
export function listedOf(result: unknown): Listed[] {
  return list(result, 'the history').map((one) => {
    const { signature, slot, err } = record(one, 'an entry of the history');
    return { signature: text(signature, 'signature'), slot: whole(slot, 'slot'), hasFailed: err !== null };
  });
}

/**
 * Parses `getMultipleAccounts` in base64.
 *
 * @throws ShapeError
 */
export function accountsOf(result: unknown): (AccountState | null)[] {
  return list(record(result, 'the answer')['value'], 'the accounts').map((one) => {
    if (one === null) return null;
    const { owner, data } = record(one, 'an account');
    return { program: text(owner, 'owner'), data: base64Of(data, 'data') };
  });
}

/**
 * Parses `getBlock` with signatures alone.
 *
 * @throws ShapeError
 */
export function blockOf(result: unknown): Block {
  const { blockhash, signatures } = record(result, 'the block');
  return { blockhash: text(blockhash, 'blockhash'), signatures: texts(signatures, 'signatures') };
}

/** A block and the slot of its parent. */
export interface LinkedBlock {
  readonly blockhash: string;
  readonly parentSlot: number;
}

/**
 * Parses `getBlock` without transactions.
 *
 * @throws ShapeError
 */
export function linkedBlockOf(result: unknown): LinkedBlock {
  const { blockhash, parentSlot } = record(result, 'the block');
  return { blockhash: text(blockhash, 'blockhash'), parentSlot: whole(parentSlot, 'parentSlot') };
}

/**
 * Parses `getBlocksWithLimit`.
 *
 * @throws ShapeError
 */
export function slotsOf(result: unknown): number[] {
  return list(result, 'the blocks').map((slot) => whole(slot, 'a slot'));
}

/**
 * Parses `isBlockhashValid`.
 *
 * @throws ShapeError
 */
export function isValidOf(result: unknown): boolean {
  const { value } = record(result, 'the response');
  if (typeof value === 'boolean') return value;
  throw new ShapeError('the validity of a blockhash is no truth value');
}
