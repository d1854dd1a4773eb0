import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dependenciesOf } from '../../../api/health/probes.ts';
import type { ApiInstance } from '../../../api/instance.ts';
import { composeLaunching } from '../../../api/launch/compose.ts';
import { apiMetrics, createApiMeters } from '../../../api/metrics/api-meters.ts';
import { serveMetrics } from '../../../api/metrics/serve-metrics.ts';
import { reportedFetch } from '../../../chain/rpc/reported-fetch.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { connectThrough, createPool, type Db } from '../../../db/connect.ts';
import * as prices from '../../../db/prices/prices.ts';
import type { HealthServer } from '../../../observe/health-server.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { LOCAL_VARIABLES, testConfig } from '../../support/api/api-config.ts';
import { standInOf } from '../../support/exchange/stand-in-of.ts';
import { testApp } from '../../support/api/test-app.ts';
import { listPair } from '../../support/api/test-pairs.ts';

/** Nobody listens there; the key is what providers put into their URLs. */
const RPC_URL = 'http://127.0.0.1:1/rpc-key-in-path?api-key=rpc-key-in-query';
const NOW = new Date('2026-01-02T03:04:05Z');
const logger = pino({ level: 'silent' });

let db: Db;
let app: ApiInstance;
let server: HealthServer | null;
let pairMint: string;
let databaseUrl: string;
let askFees: () => Promise<unknown>;

beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).url;
  const pool = createPool(databaseUrl);
  db = connectThrough(pool);
  const meters = createApiMeters();
  const config = testConfig({
    DATABASE_URL: databaseUrl,
    SOLANA_RPC_URL: RPC_URL,
    RATE_LIMIT_CLAIM_PREPARE: '1',
    API_METRICS_PORT: '0',
    TIP_FLOOR_URL: 'http://127.0.0.1:1/tip-key',
  });
  const rpc = createRpc({ endpoints: [RPC_URL], fetch: reportedFetch(fetch, meters.rpc.called) });
  const client = new Client({ connection: Connection.lazy(config.temporal.connection) });
  const exchange = standInOf(LOCAL_VARIABLES);
  const parts = { db, rpc, client, genesisHash: '1'.repeat(32), logger, exchange, onFeeRead: meters.fees.read };
  const launching = composeLaunching(config, parts);
  askFees = launching.pricing.networkFees;
  const probes = [{ name: 'never', check: () => Promise.reject(new Error('down')) }];
  app = await testApp({ config, db, launching, requestMeters: meters.requests, probes });
  const replica = { problem: () => null };
  const temporal = Connection.lazy({ address: '127.0.0.1:1' });
  const dependencies = dependenciesOf({ db, temporal, replica, config });
  const metrics = apiMetrics(meters, { pool, replica, db, now: () => NOW, logger, dependencies });
  server = await serveMetrics(config, { metrics, probes: [], logger });
  pairMint = await pricedPair();
  await useEverything();
});
afterAll(async () => {
  await server?.close();
  await app.close();
  await db.destroy();
});

async function pricedPair(): Promise<string> {
  const { mint } = await listPair(db, { symbol: 'OLD', priceSource: 'pyth' });
  const observedAt = new Date(NOW.getTime() - 90_000);
  await prices.record(db, [{ mint, usd: '1.5', source: 'pyth', observedAt }]);
  return mint;
}

const V1 = '/api/public/v1';

/** One request of each kind, and what the API asks of others. */
async function useEverything(): Promise<void> {
  // At once, so that the answer is still in memory for the second, however slow the machine.
  await Promise.all([app.inject(`${V1}/tokens`), app.inject(`${V1}/tokens`)]);
  for (const path of ['/secret-guess', '/secret-guess/2']) await app.inject(`${V1}${path}`);
  for (const path of ['/launches/prepare', '/launches/submit'])
    await app.inject({ method: 'POST', url: `${V1}${path}`, payload: { adminPassword: 'hunter2-hunter2' } });
  for (let count = 0; count < 2; count += 1)
    await app.inject({ method: 'POST', url: `${V1}/tokens/${pairMint}/fees/claim/prepare`, payload: {} });
  await app.inject({ method: 'POST', url: `${V1}/tokens/${pairMint}/fees/claim/submit`, payload: {} });
  await app.inject(`${V1}/tokens/${pairMint}`);
  await askFees();
}

async function scrape(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server?.port}/metrics`);
  expect(response.status).toBe(200);
  return response.text();
}

describe('the metrics of the API', () => {
  it.each([
    `slipway_api_request_duration_seconds_count{method="GET",route="${V1}/tokens",status="2xx"} 2`,
    `slipway_api_request_duration_seconds_count{method="GET",route="${V1}/tokens/:mint",status="4xx"} 1`,
    'slipway_api_request_duration_seconds_count{method="unknown",route="unknown",status="4xx"} 2',
    `slipway_api_cached_reads_total{route="${V1}/tokens",result="miss"} 1`,
    `slipway_api_cached_reads_total{route="${V1}/tokens",result="hit"} 1`,
    'slipway_api_rate_limited_total{group="claimPrepare"} 1',
    'slipway_api_outcomes_total{operation="prepareLaunch",outcome="invalid_request"} 1',
    'slipway_api_outcomes_total{operation="submitLaunch",outcome="invalid_request"} 1',
    'slipway_api_outcomes_total{operation="prepareClaim",outcome="rate_limited"} 1',
    'slipway_api_outcomes_total{operation="submitClaim",outcome="invalid_request"} 1',
    // A request that breaks a rule asks for nothing.
    'slipway_promises{class="prepare",outcome="asked"} 0',
    'slipway_promises{class="read",outcome="unknown"} 0',
    'slipway_api_database_connections{state="waiting"} 0',
    'slipway_api_read_replica 1',
    'slipway_dependency_up{dependency="database",endpoint=""} 1',
    'slipway_dependency_up{dependency="temporal",endpoint=""} 0',
    'slipway_dependency_up{dependency="rpc",endpoint="rpc[0] 127.0.0.1:1"} 0',
    'slipway_dependency_up{dependency="read_replica",endpoint=""} 1',
    'slipway_database_clock_skew_seconds ',
    'nodejs_eventloop_lag_p99_seconds ',
  ])('has %s', async (line) => {
    expect(await scrape()).toContain(`\n${line}`);
  });

  it('does not count probes, which are no client’s', async () => {
    expect((await app.inject('/readyz')).statusCode).toBe(503);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    const page = await scrape();
    expect(page).toContain('slipway_api_request_duration_seconds_count');
    expect(page).not.toMatch(/slipway_api_request_duration_seconds\w*\{.*(readyz|healthz)/);
  });

  it('counts connections to the database', async () => {
    expect(await scrape()).toMatch(/\nslipway_api_database_connections{state="total"} [1-9]/);
  });

  it('counts calls to endpoints by host, and reads of the block engine’s tip floor', async () => {
    const page = await scrape();
    const labels = 'method="getRecentPrioritizationFees",endpoint="127.0.0.1:1",outcome="no_answer"';
    expect(page).toContain(`slipway_api_rpc_call_duration_seconds_count{${labels}} 1\n`);
    expect(page).toContain('slipway_api_network_fee_reads_total{source="block_engine",result="failed"} 1\n');
  });

  it('shows no secret, no URL and nothing that was sent', async () => {
    const page = await scrape();
    const secrets = [databaseUrl, 'rpc-key', 'tip-key', 'hunter2', 'guess', 'http://', 'postgres://'];
    expect(secrets.filter((secret) => page.includes(secret))).toEqual([]);
  });

  it('tells how old the price of each pair is, and that one has none', async () => {
    const { mint } = await listPair(db, { symbol: 'NONE', priceSource: 'pyth' });
    const page = await scrape();
    const age = (of: string, symbol: string) =>
      `slipway_api_price_age_seconds{mint="${of}",symbol="${symbol}",source="pyth"}`;
    expect(page).toContain(`${age(pairMint, 'OLD')} 90\n`);
    expect(page).toContain(`${age(mint, 'NONE')} +Inf\n`);
  });
});
