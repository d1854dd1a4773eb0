import type { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import type { OtherAccountsByOwner } from '../../domain/reward/other-accounts.ts';
import { addressTexts } from './address-text.ts';
import { type CoinAddresses, type OtherAccountsSum, sumOtherAccounts } from './other-accounts.ts';

export interface HeldMint {
  readonly mint: PublicKey;
  readonly tokenProgram: PublicKey;
}

/** The largest in order, optionally with addresses (`named`); or all, unordered, with addresses. */
export type HolderWish = { readonly greatest: number; readonly named?: boolean } | 'named';

/** An answer that is transferred between threads without copying. */
export interface HolderAnswer {
  readonly slot: number;
  readonly total: number;
  /** 32 bytes each. With `greatest`: largest first, ties by address. */
  readonly owners: Uint8Array<ArrayBuffer>;
  /** Same order, summed over an owner's accounts. */
  readonly amounts: BigUint64Array<ArrayBuffer>;
  /** base58, separated by spaces; empty unless requested. */
  readonly names: string;
  /**
   * With withheld tax, largest first, at most `MOST_WITHHELD`: addresses and raw units. Empty if extensions are not
   * read.
   */
  readonly taxed: string;
  readonly taxes: BigUint64Array<ArrayBuffer>;
  /** Separated by spaces; null over `MOST_HELD_ACCOUNTS`. */
  readonly held: string | null;
  /** Empty unless requested. */
  readonly otherAccounts: OtherAccountsByOwner;
}

/** Ten calls. */
export const MOST_HELD_ACCOUNTS = 990;

/** Limit per response. */
export const MOST_WITHHELD = 20_002;

export interface WithheldIn {
  /** base58 */
  readonly account: string;
  /** Raw units, above zero. */
  readonly raw: bigint;
}

export interface HolderRefusal {
  readonly code: number;
  readonly message: string;
}

/** Owner (at 32) and amount (at 64, u64); or from the owner to a taxed account's first extensions. */
export const OWNER_AND_AMOUNT = { offset: 32, length: 40 } as const;
export const OWNER_TO_EXTENSIONS = { offset: 32, length: 182 } as const;

/** Offsets within that slice. */
const [AMOUNT_AT, KIND_AT, EXTENSIONS_AT] = [32, 133, 134];

/** spl-token-2022. */
const [TOKEN_ACCOUNT, TRANSFER_FEE_AMOUNT, EXTENSION_HEAD] = [2, 2, 4];

const [OWNER_BYTES, ADDRESS_BYTES] = [32, 32];

/** Maximum parsed per account. */
const MOST_BYTES = 182;

/** An account as the node returns it. */
export interface Account {
  readonly pubkey?: unknown;
  readonly account?: { readonly data?: readonly unknown[] };
}

interface Answer {
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
  readonly result?: { readonly context?: { readonly slot?: unknown }; readonly value?: unknown };
}

/**
 * Parses the response. Rounding of large numbers such as `rentEpoch` does no harm: none is used. Throws a SyntaxError
 * or TypeError.
 *
 * @param coin to find accounts that are not associated ones; null: not requested
 */
export function readHolderAnswer(
  body: Uint8Array,
  wish: HolderWish,
  coin: CoinAddresses | null,
): HolderAnswer | HolderRefusal {
  const { error, result } = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString()) as Answer;
  if (error) return { code: Number(error.code), message: String(error.message) };
  const slot = result?.context?.slot;
  const accounts = result?.value;
  if (!Number.isSafeInteger(slot) || Number(slot) < 0 || !Array.isArray(accounts))
    throw new TypeError('neither a slot nor accounts');
  const found = nothingFound(coin);
  for (const one of accounts as readonly Account[]) addAccount(one, found);
  return answerOf(found, Number(slot), wish);
}

export function answerOf(found: Found, slot: number, wish: HolderWish): HolderAnswer {
  const all = [...found.balances];
  const [wanted, named] = wish === 'named' ? [all, true] : [greatestOf(all, wish.greatest), wish.named === true];
  return {
    slot,
    total: all.length,
    ...packed(wanted, named),
    ...packedTax(found.withheld),
    held: packedAddresses(found.held),
    otherAccounts: found.otherAccounts?.all() ?? new Map(),
  };
}

function packedAddresses(held: readonly unknown[]): string | null {
  if (held.length > MOST_HELD_ACCOUNTS) return null;
  if (!held.every(isAddress)) throw new TypeError('an account whose address is none');
  return held.join(' ');
}

function isAddress(text: unknown): text is string {
  return typeof text === 'string' && bs58.decodeUnsafe(text)?.length === ADDRESS_BYTES;
}

function packedTax(withheld: WithheldIn[]) {
  const greatest = greatestTax(withheld);
  if (!greatest.every(({ account }) => isAddress(account))) throw new TypeError('an account whose address is none');
  return {
    taxed: greatest.map(({ account }) => account).join(' '),
    taxes: BigUint64Array.from(greatest, ({ raw }) => raw),
  };
}

/** Largest first, at most `MOST_WITHHELD`. */
export function greatestTax(withheld: WithheldIn[]): WithheldIn[] {
  return withheld.sort((a, b) => (a.raw === b.raw ? 0 : a.raw > b.raw ? -1 : 1)).slice(0, MOST_WITHHELD);
}

export function addressesIn(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

export function withheldOf({ taxed, taxes }: Pick<HolderAnswer, 'taxed' | 'taxes'>): WithheldIn[] {
  return addressesIn(taxed).map((account, index) => ({ account, raw: taxes[index] ?? 0n }));
}

export interface Found {
  /** By owner; a character per byte is a cheap key. */
  readonly balances: Map<string, bigint>;
  readonly withheld: WithheldIn[];
  /** Up to one over the limit. */
  readonly held: unknown[];
  /** Null unless requested. */
  readonly otherAccounts: OtherAccountsSum | null;
  readonly scratch: Buffer;
}

export function nothingFound(coin: CoinAddresses | null): Found {
  const otherAccounts = coin && sumOtherAccounts(coin);
  return { balances: new Map(), withheld: [], held: [], otherAccounts, scratch: Buffer.alloc(MOST_BYTES) };
}

/** Throws a TypeError. */
export function addAccount(
  { pubkey, account }: Account,
  { balances, withheld, held, otherAccounts, scratch }: Found,
): void {
  const [text, encoding] = account?.data ?? [];
  if (typeof text !== 'string' || encoding !== 'base64') throw new TypeError('an account without data in base64');
  const length = scratch.write(text, 'base64');
  if (length < AMOUNT_AT + 8) return;
  const raw = scratch.readBigUInt64LE(AMOUNT_AT);
  if (raw > 0n) {
    const owner = scratch.toString('latin1', 0, OWNER_BYTES);
    balances.set(owner, (balances.get(owner) ?? 0n) + raw);
    otherAccounts?.add(owner, pubkey, raw);
  }
  const isTaxed = length > KIND_AT && scratch[KIND_AT] === TOKEN_ACCOUNT;
  const tax = isTaxed ? withheldIn(scratch.subarray(0, length)) : 0n;
  if ((raw > 0n || tax > 0n) && held.length <= MOST_HELD_ACCOUNTS) held.push(pubkey);
  if (tax === 0n) return;
  if (typeof pubkey !== 'string') throw new TypeError('an account without address');
  withheld.push({ account: pubkey, raw: tax });
}

type Balance = readonly [string, bigint];

/** Returns the largest in order; sorts only candidates. */
function greatestOf(all: readonly Balance[], most: number): readonly Balance[] {
  if (most === 0) return [];
  const least = BigUint64Array.from(all, ([, raw]) => raw).sort()[Math.max(0, all.length - most)] ?? 0n;
  return all
    .filter(([, raw]) => raw >= least)
    .sort(byBalance)
    .slice(0, most);
}

/** Returns the withheld amount; 0 without the extension. */
function withheldIn(data: Buffer): bigint {
  for (let at = EXTENSIONS_AT; at + EXTENSION_HEAD + 8 <= data.length;) {
    const [type, length] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)];
    if (type === TRANSFER_FEE_AMOUNT) return data.readBigUInt64LE(at + EXTENSION_HEAD);
    if (type === 0) return 0n;
    at += EXTENSION_HEAD + length;
  }
  return 0n;
}

function packed(wanted: readonly Balance[], named: boolean) {
  const bytes = new Uint8Array(wanted.length * OWNER_BYTES);
  const owners = Buffer.from(bytes.buffer);
  const amounts = new BigUint64Array(wanted.length);
  for (const [index, [owner, raw]] of wanted.entries()) {
    owners.write(owner, index * OWNER_BYTES, 'latin1');
    amounts[index] = raw;
  }
  return { owners: bytes, amounts, names: named ? addressTexts(bytes) : '' };
}

export function ownerAt(owners: Uint8Array, index: number): Uint8Array {
  return owners.subarray(index * OWNER_BYTES, (index + 1) * OWNER_BYTES);
}

function byBalance([a, rawA]: Balance, [b, rawB]: Balance): number {
  if (rawA !== rawB) return rawA > rawB ? -1 : 1;
  return a < b ? -1 : 1;
}
