import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import type { StoreOutcome } from '../../db/market/swaps.ts';
import type { MarketDeps } from './deps.ts';

export interface PoolsOutcome extends StoreOutcome {
  /** The next poll retries them. */
  readonly failed: number;
}

export const NOTHING_DONE: PoolsOutcome = { stored: 0, withdrawn: 0, failed: 0 };

export const POOLS_AT_ONCE = 4;

export function sumOfOutcomes(outcomes: readonly PoolsOutcome[]): PoolsOutcome {
  return outcomes.reduce(
    (sum, { stored, withdrawn, failed }) => ({
      stored: sum.stored + stored,
      withdrawn: sum.withdrawn + withdrawn,
      failed: sum.failed + failed,
    }),
    NOTHING_DONE,
  );
}

export async function countingFailures<Outcome extends PoolsOutcome>(
  { logger, meters }: MarketDeps,
  cursors: readonly IndexedPool[],
  work: () => Promise<Outcome>,
): Promise<Outcome | PoolsOutcome> {
  try {
    return await work();
  } catch (error) {
    const pools = cursors.map(({ pool }) => pool);
    logger.warn({ err: error, pools }, 'histories of pools could not be read or settled');
    pools.forEach(() => meters.poolFailed());
    return { ...NOTHING_DONE, failed: pools.length };
  }
}
