import { type AddressLookupTableAccount, PublicKey } from '@solana/web3.js';
import type { Exchange } from '../exchange/exchange.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';

/** An address that the lookup table should hold, and what it is for people. */
export interface TableEntry {
  readonly address: PublicKey;
  readonly what: string;
}

/** A quote token as the list of pairs names it (base58). */
export interface TablePair {
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly tokenProgram: string;
}

/** What every launch of an exchange names. Nothing where its transactions fit without a table. */
export function exchangeEntries({ kind, lookupAddresses }: Pick<Exchange, 'kind' | 'lookupAddresses'>): TableEntry[] {
  return lookupAddresses.map((address) => ({ address, what: `${kind}` }));
}

/** What launches against one quote token name: its mint and, for dev buys, the treasury's account of it. */
export function pairEntries({ mint, symbol, decimals, tokenProgram }: TablePair, treasury?: PublicKey): TableEntry[] {
  const token = { mint: new PublicKey(mint), decimals, tokenProgram: new PublicKey(tokenProgram) };
  const inventory = treasury
    ? [{ address: tokenAccountOf(token, treasury), what: `${symbol}: treasury's account` }]
    : [];
  return [{ address: token.mint, what: `${symbol}: mint` }, ...inventory];
}

/** Those of the entries that a transaction cannot take from any of the tables now. */
export function lackingIn(tables: readonly AddressLookupTableAccount[], entries: readonly TableEntry[]): TableEntry[] {
  const held = new Set(tables.flatMap(({ state }) => state.addresses.map((address) => address.toBase58())));
  return entries.filter(({ address }) => !held.has(address.toBase58()));
}

/** Entries for people: each with its address. */
export function spell(entries: readonly TableEntry[]): string {
  return entries.map(({ what, address }) => `${what} (${address.toBase58()})`).join(', ');
}
