import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import type { StoreOutcome } from '../../db/market/swaps.ts';
import type { MarketDeps } from './deps.ts';

/** What was done with several pools. */
export interface PoolsOutcome extends StoreOutcome {
  /** Pools whose history could not be read; they are tried again at the next look. */
  readonly failed: number;
}

/** Nothing was to be done. */
export const NOTHING_DONE: PoolsOutcome = { stored: 0, withdrawn: 0, failed: 0 };

/** Pools whose histories are read at once. */
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

/** What `work` does with pools; where it fails, that is said, and the others go on. */
export async function unlessItFails<Outcome extends PoolsOutcome>(
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
