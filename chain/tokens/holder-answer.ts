import type { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { addressTexts } from './address-text.ts';

/** Which token's holders. */
export interface HeldMint {
  readonly mint: PublicKey;
  readonly tokenProgram: PublicKey;
}

/**
 * What of an answer is wanted: so many of the greatest holders, in their order, with their addresses as text where they are to be `named`;
 * or all in none, named.
 */
export type HolderWish = { readonly greatest: number; readonly named?: boolean } | 'named';

/** What was answered as far as it is about holders: in arrays that threads hand over without copying them. */
export interface HolderAnswer {
  readonly slot: number;
  /** Owners with a balance above zero. */
  readonly total: number;
  /** Of those that were wanted 32 bytes each; the greatest have the greatest balance first, equal ones by address. */
  readonly owners: Uint8Array<ArrayBuffer>;
  /** Sums over their accounts, raw units, in the same order. */
  readonly amounts: BigUint64Array<ArrayBuffer>;
  /** The same in base58, a space between two; empty unless they were to be named. */
  readonly names: string;
  /**
   * Accounts in which a transfer tax lies withheld, the greatest first, at most `MOST_WITHHELD`: addresses as the node wrote them, a
   * space between two, and raw units. None where the query does not reach so far.
   */
  readonly taxed: string;
  readonly taxes: BigUint64Array<ArrayBuffer>;
  /**
   * Accounts in which anything of what was asked for lies, as the node wrote their addresses, a space between two; null where they are more
   * than `MOST_HELD_ACCOUNTS`.
   */
  readonly held: string | null;
}

/** Accounts of a token that are told by their addresses at most: so many are read with ten calls. */
export const MOST_HELD_ACCOUNTS = 990;

/** Accounts with withheld tax that an answer has at most. */
export const MOST_WITHHELD = 20_002;

/** Withheld tax of one account. */
export interface WithheldIn {
  /** base58 */
  readonly account: string;
  /** Raw units, above zero. */
  readonly raw: bigint;
}

/** The node answered an error. */
export interface HolderRefusal {
  readonly code: number;
  readonly message: string;
}

/**
 * Which part of an account is asked for: owner (at 32, 32 bytes) and amount (at 64, u64), or all from there to the end of the
 * extensions that an account of a taxed mint begins with.
 */
export const OWNER_AND_AMOUNT = { offset: 32, length: 40 } as const;
export const OWNER_TO_EXTENSIONS = { offset: 32, length: 182 } as const;

/** Within that part: where the amount lies, the kind of the account, and its extensions. */
const [AMOUNT_AT, KIND_AT, EXTENSIONS_AT] = [32, 133, 134];

/** spl-token-2022: `AccountType::Account`, `ExtensionType::TransferFeeAmount`, bytes of the type and length of an extension. */
const [TOKEN_ACCOUNT, TRANSFER_FEE_AMOUNT, EXTENSION_HEAD] = [2, 2, 4];

const [OWNER_BYTES, ADDRESS_BYTES] = [32, 32];

/** Bytes of an account that are looked at, at most. */
const MOST_BYTES = 182;

/** An account as a node answers it. */
export interface Account {
  readonly pubkey?: unknown;
  readonly account?: { readonly data?: readonly unknown[] };
}

interface Answer {
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
  readonly result?: { readonly context?: { readonly slot?: unknown }; readonly value?: unknown };
}

/**
 * Reads an answer. Numbers that JSON has exactly and JavaScript not (`rentEpoch`) are none of those that are looked at. Throws a
 * SyntaxError where it is no JSON, a TypeError where it has another shape.
 */
export function readHolderAnswer(body: Uint8Array, wish: HolderWish): HolderAnswer | HolderRefusal {
  const { error, result } = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString()) as Answer;
  if (error) return { code: Number(error.code), message: String(error.message) };
  const slot = result?.context?.slot;
  const accounts = result?.value;
  if (!Number.isSafeInteger(slot) || Number(slot) < 0 || !Array.isArray(accounts))
    throw new TypeError('neither a slot nor accounts');
  const found = nothingFound();
  for (const one of accounts as readonly Account[]) addAccount(one, found);
  return answerOf(found, Number(slot), wish);
}

/** What was found altogether, at a slot. */
export function answerOf(found: Found, slot: number, wish: HolderWish): HolderAnswer {
  const all = [...found.balances];
  const [wanted, named] = wish === 'named' ? [all, true] : [greatestOf(all, wish.greatest), wish.named === true];
  return {
    slot,
    total: all.length,
    ...packed(wanted, named),
    ...packedTax(found.withheld),
    held: packedAddresses(found.held),
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

/** So many of these as are kept, the greatest first. */
export function greatestTax(withheld: WithheldIn[]): WithheldIn[] {
  return withheld.sort((a, b) => (a.raw === b.raw ? 0 : a.raw > b.raw ? -1 : 1)).slice(0, MOST_WITHHELD);
}

/** Addresses that an answer has in one text. */
export function addressesIn(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

/** The accounts of an answer with what is withheld in them, the greatest first. */
export function withheldOf({ taxed, taxes }: Pick<HolderAnswer, 'taxed' | 'taxes'>): WithheldIn[] {
  return addressesIn(taxed).map((account, index) => ({ account, raw: taxes[index] ?? 0n }));
}

/** What was found so far, in one answer or in several. */
export interface Found {
  /** Raw units by owner, a character for each byte: a key that costs next to nothing. */
  readonly balances: Map<string, bigint>;
  readonly withheld: WithheldIn[];
  /** Addresses of accounts with something in them, as many as tell whether they are too many. */
  readonly held: unknown[];
  /** Bytes of the account that is looked at. */
  readonly scratch: Buffer;
}

/** Where nothing was looked at yet. */
export function nothingFound(): Found {
  return { balances: new Map(), withheld: [], held: [], scratch: Buffer.alloc(MOST_BYTES) };
}

/** Adds what lies in an account. Throws a TypeError where it has another shape. */
export function addAccount({ pubkey, account }: Account, { balances, withheld, held, scratch }: Found): void {
  const [text, encoding] = account?.data ?? [];
  if (typeof text !== 'string' || encoding !== 'base64') throw new TypeError('an account without data in base64');
  const length = scratch.write(text, 'base64');
  if (length < AMOUNT_AT + 8) return;
  const raw = scratch.readBigUInt64LE(AMOUNT_AT);
  if (raw > 0n) {
    const owner = scratch.toString('latin1', 0, OWNER_BYTES);
    balances.set(owner, (balances.get(owner) ?? 0n) + raw);
  }
  const isTaxed = length > KIND_AT && scratch[KIND_AT] === TOKEN_ACCOUNT;
  const tax = isTaxed ? withheldIn(scratch.subarray(0, length)) : 0n;
  if ((raw > 0n || tax > 0n) && held.length <= MOST_HELD_ACCOUNTS) held.push(pubkey);
  if (tax === 0n) return;
  if (typeof pubkey !== 'string') throw new TypeError('an account without address');
  withheld.push({ account: pubkey, raw: tax });
}

type Balance = readonly [string, bigint];

/** So many of the greatest, in their order: only those that may be among them are compared one by one. */
function greatestOf(all: readonly Balance[], most: number): readonly Balance[] {
  if (most === 0) return [];
  const least = BigUint64Array.from(all, ([, raw]) => raw).sort()[Math.max(0, all.length - most)] ?? 0n;
  return all
    .filter(([, raw]) => raw >= least)
    .sort(byBalance)
    .slice(0, most);
}

/** What an account of a taxed mint has withheld, raw units; 0 where it has no such extension. */
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

/** The nth owner of an answer. */
export function ownerAt(owners: Uint8Array, index: number): Uint8Array {
  return owners.subarray(index * OWNER_BYTES, (index + 1) * OWNER_BYTES);
}

function byBalance([a, rawA]: Balance, [b, rawB]: Balance): number {
  if (rawA !== rawB) return rawA > rawB ? -1 : 1;
  return a < b ? -1 : 1;
}
