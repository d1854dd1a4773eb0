import type { NewSwap } from '../../../db/market/swaps.ts';
import { priceBatches } from '../price-swaps.ts';
import { lowest } from './extremes.ts';
import { asRecords, type FollowedPool, keyOf } from './followed-pools.ts';
import type { FollowState } from './follow-state.ts';

/** Prices new transactions and all later ones, whose places may have changed. */
export async function priceTails(
  { pools: followed, prices }: Pick<FollowState, 'pools' | 'prices'>,
  pools: readonly FollowedPool[],
): Promise<NewSwap[]> {
  const batches = pools.flatMap((pool) => {
    const { cursor, tail, rows, inherited } = pool;
    const steps = tail.steps;
    const fresh = steps.filter((step) => !rows.has(keyOf(step)));
    if (fresh.length === 0) return [];
    const from = lowest(fresh.map(({ slot }) => slot)) ?? 0;
    const transactions = steps.filter(({ slot }) => slot >= from);
    const stored = asRecords([...rows.values(), ...inherited.values()].flat());
    for (const step of transactions) rows.set(keyOf(step), []);
    return [{ cursor, supplyRaw: followed.supplyOf(pool), transactions, stored }];
  });
  const priced = await priceBatches(prices.now, batches);
  for (const row of priced) {
    const key = keyOf({ ...row, slot: Number(row.slot) });
    followed.get(row.pool)?.rows.get(key)?.push(row);
  }
  return priced;
}

/** Forgets rows without a price: it may be known now. Returns whether there were any. */
export function forgetUnpriced({ rows }: FollowedPool): boolean {
  const unpriced = [...rows].filter(([, found]) => found.some(({ quoteUsd }) => quoteUsd === null));
  for (const [key] of unpriced) rows.delete(key);
  return unpriced.length > 0;
}
