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

/** Notes that are stored as `adapterState`. */
export interface PoolNotes {
  readonly ammConfig: PublicKey;
  /** Disabled bits. */
  readonly status: number;
  /** 0 = the input token. */
  readonly feeOn: number;
  readonly tickArrays: readonly number[];
}

export function encodeNotes({ ammConfig, ...notes }: PoolNotes): string {
  return JSON.stringify({ ammConfig: ammConfig.toBase58(), ...notes });
}

/** Throws for another adapter's state. */
export function notesOf(state: PoolState): PoolNotes {
  const notes = Value.Parse(PoolNotes, JSON.parse(state.adapterState));
  return { ...notes, ammConfig: new PublicKey(notes.ammConfig) };
}

/** Throws for another pool. */
export function accountsOfState(state: PoolState, { base, quote }: Pick<QuoteRequest, 'base' | 'quote'>): PoolAccounts {
  const accounts = poolAccountsOf(notesOf(state).ammConfig, state.fees.tickSpacing, base, quote);
  if (accounts.address.equals(state.pool)) return accounts;
  throw new Error(`${state.pool.toBase58()} is not the pool of ${base.mint.toBase58()} and ${quote.mint.toBase58()}`);
}
