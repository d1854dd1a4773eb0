import { type AddressLookupTableAccount, PublicKey } from '@solana/web3.js';
import type { Exchange } from '../exchange/exchange.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';

export interface TableEntry {
  readonly address: PublicKey;
  readonly what: string;
}

/** base58. */
export interface TablePair {
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly tokenProgram: string;
}

/** Lists the exchange's addresses; empty if it needs no table. */
export function exchangeEntries({ kind, lookupAddresses }: Pick<Exchange, 'kind' | 'lookupAddresses'>): TableEntry[] {
  return lookupAddresses.map((address) => ({ address, what: `${kind}` }));
}

export function pairEntries({ mint, symbol, decimals, tokenProgram }: TablePair, treasury?: PublicKey): TableEntry[] {
  const token = { mint: new PublicKey(mint), decimals, tokenProgram: new PublicKey(tokenProgram) };
  const inventory = treasury
    ? [{ address: tokenAccountOf(token, treasury), what: `${symbol}: treasury's account` }]
    : [];
  return [{ address: token.mint, what: `${symbol}: mint` }, ...inventory];
}

export function lackingIn(tables: readonly AddressLookupTableAccount[], entries: readonly TableEntry[]): TableEntry[] {
  const held = new Set(tables.flatMap(({ state }) => state.addresses.map((address) => address.toBase58())));
  return entries.filter(({ address }) => !held.has(address.toBase58()));
}

export function spell(entries: readonly TableEntry[]): string {
  return entries.map(({ what, address }) => `${what} (${address.toBase58()})`).join(', ');
}
