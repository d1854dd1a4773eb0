import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { createTemporalClock } from '../../worker/temporal-clock.ts';

const MINUTE_MS = 60_000;

/** A worker at this time, whose activities the server schedules by a clock of its own. */
function worker() {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const warn = (fields: object) => expect.unreachable(JSON.stringify(fields));
  const clock = createTemporalClock(() => now, { warn });
  const registry = new Registry();
  registry.registerMetric(clock.metric);
  return {
    pass: (ms: number) => void (now += ms),
    /** Runs an activity that the server scheduled so many ms from now. */
    run: async (scheduledInMs: number, { isLocal = false, attempt = 1 } = {}): Promise<unknown> => {
      const info = { isLocal, attempt, scheduledTimestampMs: now + scheduledInMs };
      const { inbound } = clock.interceptor({ info } as Parameters<typeof clock.interceptor>[0]);
      const execute = inbound?.execute as NonNullable<ActivityInboundCallsInterceptor['execute']>;
      return execute({ args: [], headers: {} }, () => Promise.resolve('done'));
    },
    /** In seconds; undefined where the page has no such series. */
    skew: async (): Promise<number | undefined> => {
      const line = /^slipway_temporal_clock_skew_seconds (\S+)$/m.exec(await registry.metrics());
      return line === null ? undefined : Number(line[1]);
    },
  };
}

it('Temporal’s clock is compared by activities that start at once, however late others start', async () => {
  const { run, skew } = worker();
  expect(await skew()).toBeUndefined();
  expect(await run(-20)).toBe('done');
  await run(-45_000);
  expect(await skew()).toBe(-0.02);
});

it.each([120, -120])('a server whose clock differs by %s seconds is noticed', async (seconds) => {
  const { run, skew } = worker();
  for (const lateMs of [300, 20, 4_000]) await run(seconds * 1_000 - lateMs);
  expect(await skew()).toBe(seconds - 0.02);
});

it('a clock that was corrected counts as right five minutes later, and without activities nothing is known', async () => {
  const { run, skew, pass } = worker();
  await run(120_000);
  pass(4 * MINUTE_MS);
  await run(-20);
  expect(await skew()).toBe(120);
  pass(2 * MINUTE_MS);
  expect(await skew()).toBe(-0.02);
  pass(5 * MINUTE_MS);
  expect(await skew()).toBeUndefined();
});

it('local activities, which this worker schedules, and later attempts, which wait on purpose, tell nothing', async () => {
  const { run, skew } = worker();
  await run(-20, { isLocal: true });
  await run(-20, { attempt: 2 });
  expect(await skew()).toBeUndefined();
});
