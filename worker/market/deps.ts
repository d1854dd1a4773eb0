import { Context } from '@temporalio/activity';
import type { MarketDeps } from '../../activities/market/deps.ts';
import { listenToPools } from '../../chain/market/pool-push.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import { ABOUT_TO_GRADUATE_BPS } from '../../domain/market/graduation.ts';
import { startMarketIndex } from '../../workflows/market/messages.ts';
import type { Shared } from '../shared.ts';

/** Pause between settling rounds, ms. A hundred traded pools cost one call. */
const SETTLE_EVERY_MS = 6_000;

/** Time between comparisons without updates from the stream, ms. */
const COMPARE_EVERY_MS = 60_000;

/** Items held in memory and stored in one transaction. */
const CHUNK = 500;

export function marketDepsOf(shared: Shared): MarketDeps {
  const { config, client, marketMeters, marketSource } = shared;
  return {
    ...shared,
    maxDeviationBps: config.prices.maxDeviationBps,
    meters: marketMeters.meters,
    settings: {
      everyMs: config.market.everyMs,
      quietPools: config.market.quietPools,
      aboutToGraduateBps: ABOUT_TO_GRADUATE_BPS,
      settleEveryMs: SETTLE_EVERY_MS,
      compareEveryMs: COMPARE_EVERY_MS,
      chunk: CHUNK,
    },
    stream: marketSource.stream,
    listen: listenerOf(shared),
    cancellation: () => AbortSignal.any([Context.current().cancellationSignal, marketSource.stop.signal]),
    startIndex: () => startMarketIndex(client),
  };
}

/** Subscribes to the pools that traded last until `signal` aborts. Without it the polls find every trade later. */
function listenerOf(shared: Pick<Shared, 'db' | 'logger' | 'config' | 'marketSource'>): MarketDeps['listen'] {
  const { db, logger, config, marketSource } = shared;
  const { pushPools } = config.market;
  return async (onChange, signal) => {
    if (pushPools === 0) return;
    const onTrouble = (error: unknown) =>
      logger.warn({ err: error }, 'listening to pools failed; trades show at the next poll');
    const pools = () => poolCursors.recent(db, pushPools);
    await listenToPools({ url: marketSource.websocketUrl, pools, onChange, onTrouble }, signal);
  };
}
