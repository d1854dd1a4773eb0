import { WRAPPED_SOL } from '../solana/programs.ts';
import type { AccountState, Chain } from './chain.ts';
import { Difference, NotProvable } from './check.ts';
import type { Landed } from './landed.ts';
import { isPool, mintsOfPool } from './revenue/pool-growth.ts';

/** The two tokens of a pool; text and source for a difference. */
export interface Market {
  readonly coin: string;
  readonly quoteMint: string;
  readonly how: string;
  readonly from: string;
}

/**
 * Requires a pool of Raydium's program with these two tokens.
 *
 * @throws NotProvable for any other account: it may be a friend's wallet
 * @throws Difference for a pool of other tokens
 */
export async function mustBePool(chain: Chain, pool: string, { coin, quoteMint, how, from }: Market): Promise<void> {
  const state = await poolNow(chain, pool);
  if (!state || !isPool(state))
    throw new NotProvable(`${pool} traded ${coin}, and is no pool of an exchange that this version reads`);
  const found = { value: mintsOfPool(state).toSorted().join(' and '), from: `${pool} on ${chain.name}` };
  const expected = { value: [coin, quoteMint].toSorted().join(' and '), from };
  if (found.value !== expected.value) throw new Difference(how, expected, found);
}

/**
 * Reads a pool. Each trade changes it, so two honest endpoints that are a slot apart differ about it.
 *
 * @throws NotProvable where they do
 */
export async function poolNow(chain: Chain, pool: string): Promise<AccountState | null> {
  try {
    return (await chain.accounts([pool]))[0] ?? null;
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    throw new NotProvable(`${pool} is traded, or an endpoint lies about it: ask again (${error.message})`, error);
  }
}

/**
 * Requires that a trade keeps its SOL in accounts whose balances are shown. One that is opened and closed within the
 * transaction has none, and a friend can get its SOL. Other tokens cannot leave so: only an empty account can be closed.
 */
export function mustKeepSol({ tokens, signature }: Landed, quoteMint: string): void {
  if (quoteMint !== WRAPPED_SOL) return;
  const own = tokens.filter(({ mint }) => mint === WRAPPED_SOL);
  const left = own.reduce((sum, { before, after }) => sum + (before ?? 0n) - (after ?? 0n), 0n);
  if (left <= 0n) return;
  const expected = { value: '0', from: 'a trade, in which SOL only changes hands' };
  const found = { value: `${left} lamports`, from: `balances in ${signature}` };
  throw new Difference('wrapped SOL left by an account that no balance shows', expected, found);
}
