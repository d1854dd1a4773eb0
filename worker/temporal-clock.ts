import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Metric } from 'prom-client';
import { createReadGauge, type ReadLog } from '../observe/read-gauge.ts';

/** Measures how far Temporal's clock is ahead of this process's. Its API has no call that returns the server's time. */
export interface TemporalClock {
  /** Compares when the server scheduled an activity with when it starts here. */
  readonly interceptor: ActivityInterceptorsFactory;
  readonly metric: Metric;
}

/** Window of samples, ms: rounds run several activities in this time. */
const WINDOW_MS = 300_000;

interface Sample {
  readonly at: number;
  readonly aheadMs: number;
}

/**
 * Creates the clock. An activity starts milliseconds after the server scheduled it, so the largest difference of the
 * last minutes is the clocks' difference. A busy worker starts some of its activities late, never all of them.
 */
export function createTemporalClock(now: () => number, logger: ReadLog): TemporalClock {
  let samples: Sample[] = [];
  const recent = () => samples.filter(({ at }) => now() - at < WINDOW_MS);
  const take = (scheduledMs: number) => {
    const sample = { at: now(), aheadMs: scheduledMs - now() };
    // Only larger differences and later samples can become the largest again.
    samples = [...recent().filter(({ aheadMs }) => aheadMs > sample.aheadMs), sample];
  };
  return {
    interceptor: ({ info }) => ({
      inbound: {
        execute: (input, next) => {
          // This process schedules local activities itself; a later attempt waits on purpose.
          if (!info.isLocal && info.attempt === 1) take(info.scheduledTimestampMs);
          return next(input);
        },
      },
    }),
    metric: createReadGauge(logger, {
      name: 'slipway_temporal_clock_skew_seconds',
      help: "How far Temporal's clock is ahead of this process's; negative where it is behind. Absent without an activity in five minutes",
      read: () => {
        const [largest] = recent();
        return Promise.resolve(largest === undefined ? [] : [{ labels: {}, value: largest.aheadMs / 1_000 }]);
      },
    }),
  };
}
