import { Context } from '@temporalio/activity';
import type { MarketDeps } from '../../activities/market/deps.ts';
import { startMarketIndex } from '../../workflows/market/messages.ts';
import type { Shared } from '../shared.ts';
import { followingOf } from './following.ts';

/** What is final is settled this often, ms: a hundred pools that traded cost a call. */
const SETTLE_EVERY_MS = 6_000;

/** Without news of the stream, ms. */
const COMPARE_EVERY_MS = 60_000;

/** A chunk's transactions are held in memory, and stored within one database transaction. */
const CHUNK = 500;

/** What the activities of the market take, out of what all share. */
export function marketDepsOf(shared: Shared): MarketDeps {
  const { config, client, marketMeters } = shared;
  const following = followingOf(config);
  return {
    ...shared,
    meters: marketMeters.meters,
    settings: {
      everyMs: config.market.everyMs,
      quietPools: config.market.quietPools,
      aboutToGraduateBps: config.aboutToGraduateBps,
      settleEveryMs: SETTLE_EVERY_MS,
      compareEveryMs: COMPARE_EVERY_MS,
      chunk: CHUNK,
    },
    stream: following?.stream ?? null,
    cancellation: () =>
      AbortSignal.any([Context.current().cancellationSignal, ...(following ? [following.signal] : [])]),
    startIndex: () => startMarketIndex(client),
  };
}
