import bs58 from 'bs58';
import { parseExactJson } from '../rpc/exact-json.ts';
import { type Account, addAccount, type Found, type HolderRefusal, MOST_HELD_ACCOUNTS } from './holder-answer.ts';

/**
 * `program`: `getProgramAccountsV2` with context (`{context, value: {accounts, paginationKey}}`). `das`:
 * `getTokenAccounts` (`{last_indexed_slot, limit, cursor, token_accounts}`).
 */
export type PageForm = 'program' | 'das';

export interface HolderPage {
  /** Of the response, or the index's last. */
  readonly slot: number;
  /** Count on this page. */
  readonly accounts: number;
  /** With a balance, on all pages so far. */
  readonly owners: number;
  /** Null after the last page. */
  readonly next: string | null;
}

/** Maximum that `getTokenAccounts` returns. */
export const DAS_PAGE_ACCOUNTS = 1_000;

interface Answer<T> {
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
  readonly result?: T | null;
}

interface ProgramPage {
  readonly context?: { readonly slot?: unknown };
  readonly value?: { readonly accounts?: unknown; readonly paginationKey?: unknown } | null;
}

interface DasPage {
  readonly last_indexed_slot?: unknown;
  readonly limit?: unknown;
  readonly cursor?: unknown;
  readonly token_accounts?: unknown;
}

interface DasAccount {
  readonly address?: unknown;
  readonly mint?: unknown;
  readonly owner?: unknown;
  readonly amount?: unknown;
}

/** Throws a SyntaxError or TypeError. */
export function addPage(body: Uint8Array, form: PageForm, mint: string, found: Found): HolderPage | HolderRefusal {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString();
  // DAS amounts need exact parsing.
  const answer = (form === 'das' ? parseExactJson(text) : JSON.parse(text)) as Answer<ProgramPage & DasPage>;
  if (answer.error) return { code: Number(answer.error.code), message: String(answer.error.message) };
  const result = answer.result ?? {};
  return form === 'das' ? addDasPage(result, mint, found) : addProgramPage(result, found);
}

function addProgramPage({ context, value }: ProgramPage, found: Found): HolderPage {
  const accounts = value?.accounts;
  if (!isSlot(context?.slot) || !Array.isArray(accounts)) throw new TypeError('neither a slot nor accounts');
  for (const one of accounts as readonly Account[]) addAccount(one, found);
  return pageOf(context.slot, accounts, keyOf(value?.paginationKey, 'paginationKey'), found);
}

function addDasPage(page: DasPage, mint: string, found: Found): HolderPage {
  const { last_indexed_slot: slot, token_accounts: accounts } = page;
  if (!isSlot(slot)) throw new TypeError('no slot up to which it has indexed');
  if (!Array.isArray(accounts)) throw new TypeError('no token accounts');
  const limit = Number.isSafeInteger(page.limit) ? Number(page.limit) : DAS_PAGE_ACCOUNTS;
  const next = keyOf(page.cursor, 'cursor');
  // With pages by number alone the first would look complete.
  if (next === null && accounts.length > 0 && accounts.length >= Math.min(limit, DAS_PAGE_ACCOUNTS))
    throw new TypeError(`a full page of ${accounts.length} accounts without a cursor`);
  for (const one of accounts as readonly DasAccount[]) addIndexed(one, mint, found);
  return pageOf(slot, accounts, next, found);
}

/** A page without accounts is the last. */
function pageOf(slot: number, { length }: readonly unknown[], next: string | null, { balances }: Found): HolderPage {
  return { slot, accounts: length, owners: balances.size, next: length === 0 ? null : next };
}

function addIndexed(
  { address, mint, owner, amount }: DasAccount,
  wanted: string,
  { balances, held, otherAccounts }: Found,
): void {
  if (mint !== wanted) throw new TypeError(`an account of another mint, ${String(mint)}`);
  const isAmount = typeof amount === 'bigint' || Number.isSafeInteger(amount);
  if (!isAmount || BigInt(amount as bigint) < 0n) throw new TypeError(`an amount that is none, ${String(amount)}`);
  const bytes = typeof owner === 'string' ? bs58.decodeUnsafe(owner) : undefined;
  if (bytes?.length !== 32) throw new TypeError('an owner whose address is none');
  const raw = BigInt(amount as bigint);
  if (raw === 0n) return;
  const key = Buffer.from(bytes).toString('latin1');
  balances.set(key, (balances.get(key) ?? 0n) + raw);
  otherAccounts?.add(key, address, raw);
  if (held.length <= MOST_HELD_ACCOUNTS) held.push(address);
}

function isSlot(slot: unknown): slot is number {
  return Number.isSafeInteger(slot) && Number(slot) >= 0;
}

function keyOf(key: unknown, name: string): string | null {
  if (key === null || key === undefined || key === '') return null;
  if (typeof key !== 'string') throw new TypeError(`a ${name} that is no text`);
  return key;
}
