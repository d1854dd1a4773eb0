import { PublicKey } from '@solana/web3.js';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { PoolState, QuoteRequest } from '../exchange.ts';
import { type PoolAccounts, poolAccountsOf } from './pool-accounts.ts';

const PoolNotes = Type.Object({
  ammConfig: Type.String(),
  status: Type.Integer(),
  feeOn: Type.Integer(),
  tickArrays: Type.Array(Type.Integer()),
});

/** What this adapter must know of a pool besides what every exchange tells. */
export interface PoolNotes {
  readonly ammConfig: PublicKey;
  /** Bits of what Raydium has switched off. */
  readonly status: number;
  /** 0 = fees are taken in the input token. */
  readonly feeOn: number;
  /** First ticks of the initialised tick arrays, ascending. */
  readonly tickArrays: readonly number[];
}

/** Spells the notes out for a pool state's `adapterState`. */
export function encodeNotes({ ammConfig, ...notes }: PoolNotes): string {
  return JSON.stringify({ ammConfig: ammConfig.toBase58(), ...notes });
}

/** Notes of a pool state. Throws when the state is not one of this adapter. */
export function notesOf(state: PoolState): PoolNotes {
  const notes = Value.Parse(PoolNotes, JSON.parse(state.adapterState));
  return { ...notes, ammConfig: new PublicKey(notes.ammConfig) };
}

/** The addresses of a pool that was read. Throws when it is not the pool of these two tokens. */
export function accountsOfState(state: PoolState, { base, quote }: Pick<QuoteRequest, 'base' | 'quote'>): PoolAccounts {
  const accounts = poolAccountsOf(notesOf(state).ammConfig, state.fees.tickSpacing, base, quote);
  if (accounts.address.equals(state.pool)) return accounts;
  throw new Error(`${state.pool.toBase58()} is not the pool of ${base.mint.toBase58()} and ${quote.mint.toBase58()}`);
}
