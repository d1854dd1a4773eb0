import type { MarketDeps } from './deps.ts';
import { lookAtPools, type LookReport } from './look.ts';

export type MarketActivities = ReturnType<typeof createMarketActivities>;

/** What a look answers to the workflow of the index. */
export interface Look extends LookReport {
  /** Pause before the next look at all pools, ms: the worker's setting, so that a running workflow follows it. */
  readonly everyMs: number;
}

/** The index of the market: every swap of every launched token. */
export function createMarketActivities(deps: MarketDeps) {
  return {
    /** Looks at all pools. */
    lookAtMarket: async (): Promise<Look> => ({
      ...(await lookAtPools(deps)),
      everyMs: deps.settings.everyMs,
    }),
    /** Looks at these pools only, because something was heard of them. */
    lookAtPools: (pools: readonly string[]): Promise<LookReport> => lookAtPools(deps, pools),
  };
}
