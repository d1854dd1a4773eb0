import type { MarketSettings } from '../../activities/market/deps.ts';

/** As a worker is configured where nothing is said. */
export const SETTINGS: MarketSettings = {
  everyMs: 2_000,
  quietPools: 450,
  aboutToGraduateBps: 8_000,
  settleEveryMs: 6_000,
  compareEveryMs: 60_000,
  chunk: 500,
};
