import type { NewSwap } from '../../../../db/market/swaps.ts';
import { priceBatches } from '../../price-swaps.ts';
import { lowest } from '../extremes.ts';
import type { FollowedPool } from '../followed-pools.ts';
import type { Line } from '../line.ts';

/** Prices new transactions and all later ones, whose places may have changed. */
export async function priceTails(
  { pools: followed, prices }: Line,
  pools: readonly FollowedPool[],
): Promise<readonly NewSwap[]> {
  const batches = pools.flatMap((pool) => {
    const { ordered, rows, written } = pool;
    const { steps } = ordered.tail;
    const from = lowest(steps.filter((step) => !rows.has(step)).map(({ slot }) => slot));
    if (from === null) return [];
    const transactions = steps.filter(({ slot }) => slot >= from);
    const supplyRaw = followed.supplyOf(pool);
    return [{ pool, cursor: written.cursor, supplyRaw, transactions, stored: rows.known }];
  });
  const priced = await priceBatches(prices.now, batches);
  const found = Map.groupBy(priced, ({ pool }) => pool);
  for (const { pool, transactions } of batches) pool.rows.replace(transactions, found.get(pool.address) ?? []);
  return priced;
}
