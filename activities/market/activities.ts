import type { MarketDeps } from './deps.ts';
import { pollMarket } from './poll/poll-market.ts';
import { followMarket } from './line/follow-market.ts';

export type MarketActivities = ReturnType<typeof createMarketActivities>;

/** Longest run of the activity, ms. It ends now and then so that the workflow's history shows progress. */
const LONGEST_MS = 60 * 60 * 1_000;

export function createMarketActivities(deps: MarketDeps) {
  return {
    followMarket: async (): Promise<void> => {
      const signal = AbortSignal.any([deps.cancellation(), AbortSignal.timeout(LONGEST_MS)]);
      await (deps.stream === null ? pollMarket(deps, signal) : followMarket(deps, deps.stream, signal));
    },
  };
}
