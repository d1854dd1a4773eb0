import type { MarketSettings } from '../../activities/market/deps.ts';

/** The worker's defaults. */
export const SETTINGS: MarketSettings = {
  everyMs: 2_000,
  quietPools: 450,
  aboutToGraduateBps: 8_000,
  settleEveryMs: 6_000,
  compareEveryMs: 60_000,
  chunk: 500,
};
