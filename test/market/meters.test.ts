import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createMarketMeters } from '../../worker/market/meters.ts';

function createPage() {
  const now = () => new Date('2026-11-21T12:00:00.900Z');
  const { meters, metrics } = createMarketMeters(now, pino({ level: 'silent' }));
  const registry = new Registry();
  for (const metric of metrics) registry.registerMetric(metric);
  return { meters, registry };
}

it('the market’s meters show on the metrics page under their published names', async () => {
  const { meters, registry } = createPage();
  meters.poolsRead(100);
  meters.swapsStored(3);
  meters.swapsWithdrawn(1);
  meters.poolFailed();
  meters.unread();
  meters.polled({ lagSlots: 7, gaps: 2 });
  const page = await registry.metrics();
  for (const line of [
    'slipway_market_pools_read_total 100',
    'slipway_market_swaps_stored_total 3',
    'slipway_market_swaps_withdrawn_total 1',
    'slipway_market_pool_failures_total 1',
    'slipway_market_unread_transactions_total 1',
    'slipway_market_lag_slots 7',
    'slipway_market_gaps 2',
    `slipway_market_last_look_timestamp_seconds ${Date.parse('2026-11-21T12:00:00Z') / 1000}`,
  ]) {
    expect(page).toContain(`\n${line}\n`);
  }
});

it('a worker that has polled nothing yet says no time of it', async () => {
  const { registry } = createPage();
  expect(await registry.metrics()).not.toMatch(/^slipway_market_last_look_timestamp_seconds /m);
});
