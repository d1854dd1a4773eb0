import type { MarketDeps } from './deps.ts';
import { lookAtNext, lookAtPools, type LookReport } from './look.ts';
import { createLookMemory } from './look-memory.ts';
import { followMarket, type FollowReport } from './stream/follow-market.ts';

export type MarketActivities = ReturnType<typeof createMarketActivities>;

/** What a look answers to the workflow of the index. */
export interface Look extends LookReport {
  /** Pause before the next look at all pools, ms: the worker's setting, so that a running workflow follows it. */
  readonly everyMs: number;
  /** True where this worker follows a stream instead: nothing was looked at. */
  readonly isStreamed?: boolean;
}

const NOTHING: LookReport = { pools: 0, changed: 0, stored: 0, withdrawn: 0, failed: 0 };

/** The index of the market: every swap of every launched token. */
export function createMarketActivities(deps: MarketDeps) {
  const { everyMs } = deps.settings;
  const memory = createLookMemory();
  return {
    /** Looks at all pools that traded lately and at the next quiet ones; where there is a stream, only says so. */
    lookAtMarket: async (): Promise<Look> =>
      deps.stream === null
        ? { ...(await lookAtNext(deps, memory)), everyMs }
        : { ...NOTHING, everyMs, isStreamed: true },
    /** Looks at these pools only, because something was heard of them. */
    lookAtPools: (pools: readonly string[]): Promise<LookReport> => lookAtPools(deps, pools, memory),
    /** Follows the market by a stream for as long as it may; a worker without one does nothing. */
    followMarket: async (): Promise<FollowReport> =>
      deps.stream === null ? { settledSlot: null } : followMarket(deps, deps.stream),
  };
}
