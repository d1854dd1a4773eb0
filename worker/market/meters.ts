import { Counter, Gauge, type Metric } from 'prom-client';
import type { MarketMeters } from '../../activities/market/deps.ts';
import type { ReadLog } from '../../observe/read-gauge.ts';
import { createTimeGauge } from '../../observe/time-gauge.ts';

export interface MarketMeterSet {
  readonly meters: MarketMeters;
  readonly metrics: readonly Metric[];
}

/** Creates meters of this process; several workers add up. */
export function createMarketMeters(now: () => Date, logger: ReadLog): MarketMeterSet {
  let lookedAt: Date | null = null;
  const poolsRead = counter('slipway_market_pools_read_total', 'Pool accounts that were read');
  const stored = counter(
    'slipway_market_swaps_stored_total',
    'Swaps that were stored and are new, or not what they were',
  );
  const withdrawn = counter('slipway_market_swaps_withdrawn_total', 'Provisional swaps that a fork took back');
  const failed = counter('slipway_market_pool_failures_total', 'Histories of pools that could not be read at a look');
  const unread = counter(
    'slipway_market_unread_transactions_total',
    'Transactions that moved vaults like a swap that the exchange adapter does not know',
  );
  const lastLook = createTimeGauge(logger, {
    name: 'slipway_market_last_look_timestamp_seconds',
    help: 'When this worker last polled all pools',
    read: () => Promise.resolve(lookedAt),
  });
  const lag = gauge('slipway_market_lag_slots', 'Finalized slots since the oldest change that is not settled');
  const gaps = gauge('slipway_market_gaps', 'Pools whose finalized history does not add up');
  const filled = counter(
    'slipway_market_stream_filled_total',
    'Transactions read by RPC that the stream did not tell of',
  );
  const updates = counter('slipway_market_stream_updates_total', 'Updates that the stream told');
  const connected = gauge(
    'slipway_market_stream_connected',
    '1 while this worker follows the market by a stream, else 0',
  );
  const pools = gauge('slipway_market_stream_pools', 'Pools that this worker followed by a stream last');
  const slot = gauge('slipway_market_stream_slot', 'The newest block that the stream reported');
  const unsettled = gauge('slipway_market_stream_unsettled_slots', 'Final slots that are not settled yet');
  const backlog = gauge('slipway_market_stream_backlog', 'Transactions that were heard of and are not stored yet');
  return {
    meters: {
      poolsRead: (count) => poolsRead.inc(count),
      swapsStored: (count) => stored.inc(count),
      swapsWithdrawn: (count) => withdrawn.inc(count),
      poolFailed: () => failed.inc(),
      unread: () => unread.inc(),
      polled: (state) => {
        lookedAt = now();
        lag.set(state.lagSlots);
        gaps.set(state.gaps);
      },
      streamed: (state) => {
        connected.set(state.isConnected ? 1 : 0);
        pools.set(state.pools);
        slot.set(Math.max(0, state.slot));
        unsettled.set(Math.max(0, state.finalizedSlot - state.settledSlot));
        backlog.set(state.backlog);
        updates.inc(state.updates);
      },
      filled: (count) => filled.inc(count),
    },
    metrics: [
      poolsRead,
      stored,
      withdrawn,
      failed,
      unread,
      lastLook,
      lag,
      gaps,
      filled,
      updates,
      connected,
      pools,
      slot,
      unsettled,
      backlog,
    ],
  };
}

function counter(name: string, help: string): Counter {
  return new Counter({ name, help, registers: [] });
}

function gauge(name: string, help: string): Gauge {
  return new Gauge({ name, help, registers: [] });
}
