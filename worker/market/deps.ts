import type { MarketDeps } from '../../activities/market/deps.ts';
import { startMarketIndex } from '../../workflows/market/messages.ts';
import type { Shared } from '../shared.ts';

/** A chunk's transactions are held in memory, and stored within one database transaction. */
const CHUNK = 500;

/** What the activities of the market take, out of what all share. */
export function marketDepsOf(shared: Shared): MarketDeps {
  const { config, client, marketMeters } = shared;
  return {
    ...shared,
    meters: marketMeters.meters,
    settings: { everyMs: config.market.everyMs, aboutToGraduateBps: config.aboutToGraduateBps, chunk: CHUNK },
    startIndex: () => startMarketIndex(client),
  };
}
