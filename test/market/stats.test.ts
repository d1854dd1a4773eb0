import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSwitchReader } from '../../api/features.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as switches from '../../db/platform/switches.ts';
import { createTestDatabase } from '../setup/database.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { testApp } from '../support/api/test-app.ts';
import { listPair } from '../support/api/test-pairs.ts';

const URL = '/api/public/v1/stats';

interface Stats {
  data: { features: Record<string, boolean | string>; totals: Record<string, number> } & Record<string, unknown>;
}

let db: Db;
let app: ApiInstance;

beforeAll(async () => {
  db = connect((await createTestDatabase()).url);
  await listPair(db);
  app = await testApp({ db, switches: createSwitchReader(() => switches.read(db)) });
});
afterAll(async () => {
  await app.close();
  await db.destroy();
});

const stats = async () => (await app.inject(URL)).json<Stats>().data;

test('it tells the thresholds, limits and facts a client needs', async () => {
  expect(await stats()).toMatchObject({
    graduation: {
      graduatedMarketCapUsd: 40_000,
      aboutToGraduateMarketCapUsd: 30_000,
      aboutToGraduateRatio: 0.75,
    },
    launch: { supply: '1000000000', decimals: 9, openingMarketCapUsd: 5_000, nameMaxBytes: 32, symbolMaxBytes: 10 },
    devBuy: { maxPercent: 2.5 },
    airdrop: {
      maxPercent: 50,
      tiers: [
        { tier: 'top100', recipients: 100 },
        { tier: 'top1000', recipients: 1_000 },
        { tier: 'top5000', recipients: 5_000 },
      ],
    },
    exchange: 'local',
    environment: 'test',
  });
});

test('an empty platform has totals of zero and counts its launchable pairs', async () => {
  expect((await stats()).totals).toEqual({
    tokens: 0,
    rewardTokens: 0,
    graduatedTokens: 0,
    volume24hUsd: '0',
    liquidityUsd: '0',
    launches: 0,
    launchesLast24h: 0,
    creators: 0,
    launchablePairs: 1,
    feeRevenueUsd: '0',
    burns: 0,
    burnedUsd: '0',
    buybacks: 0,
    buybackSpentUsd: '0',
  });
});

test('a switch set in the database shows within about a second', async () => {
  expect((await stats()).features).toMatchObject({ launching: true, rewardLaunches: 'off' });
  await switches.set(db, 'launching', 'off', { actor: 'test' });
  await switches.set(db, 'rewardLaunches', 'admin', { actor: 'test' });
  await expect
    .poll(async () => (await stats()).features, { interval: 100 })
    .toMatchObject({
      launching: false,
      rewardLaunches: 'admin',
    });
});

test('shared caches keep it only for a second, because clients read the switches here', async () => {
  expect((await app.inject(URL)).headers['cache-control']).toContain('s-maxage=1,');
});

test('it takes no parameters', async () => {
  expect(errorOf(await app.inject(`${URL}?verbose=true`)).message).toBe('unknown query parameter "verbose"');
});

test('the configuration that is not public is not in it', async () => {
  expect(JSON.stringify(await stats())).not.toMatch(/correct-horse|postgres:|seed|127\.0\.0\.1/);
});
