import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSwitchReader } from '../../api/features.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as switches from '../../db/platform/switches.ts';
import { createTestDatabase } from '../setup/database.ts';
import { testApp } from '../support/api/test-app.ts';
import { listPair } from '../support/api/test-pairs.ts';

const URL = '/api/public/v1/stats';

interface Stats {
  readonly data: Readonly<Record<string, object>>;
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

test('config is flat and tells the thresholds, limits and switches a client needs', async () => {
  const { config, platform, network } = await stats();
  expect(config).toEqual({
    graduationMarketCapUsd: 40_000,
    aboutToGraduateMarketCapUsd: 32_000,
    openingMarketCapUsd: 5_000,
    paidLaunchesEnabled: true,
    apiLaunchesEnabled: true,
    claimsEnabled: true,
    rewardLaunchesEnabled: false,
    rewardLaunchesAdminOnly: false,
    devBuysEnabled: false,
    airdropsEnabled: false,
    devBuyMaxPercent: 2.5,
    airdropMaxPercent: 50,
    airdropMaxRecipients: 5_000,
    launchLabEnabled: false,
    pumpLaunchesEnabled: false,
    tokenSupply: 1_000_000_000,
    tokenDecimals: 9,
    nameMaxBytes: 32,
    symbolMaxBytes: 10,
    logoMaxBytes: 524_288,
  });
  expect([platform, network]).toEqual([{ environment: 'test', exchange: 'local', tokenMint: null }, 'localnet']);
});

test('an empty platform has totals of zero and counts its launchable pairs', async () => {
  expect(await stats()).toMatchObject({
    tokens: {
      poolsAvailable: true,
      total: 0,
      graduated: 0,
      aboutToGraduate: 0,
      rewardLaunches: 0,
      totalMarketCapUsd: 0,
      totalVolume24hUsd: 0,
      totalLiquidityUsd: 0,
    },
    launches: { total: 0, last24h: 0, creators: 0 },
    pairs: { launchable: 1 },
    revenue: { totalRevenueUsd: 0, totalBuybackUsd: 0 },
    burns: { totalValueUsdAtBurn: 0, burnCount: 0 },
  });
});

test('a switch set in the database shows within about a second', async () => {
  await switches.set(db, 'launching', 'off', { actor: 'test' });
  await switches.set(db, 'rewardLaunches', 'admin', { actor: 'test' });
  await expect
    .poll(async () => (await stats()).config, { timeout: 1_500, interval: 100 })
    .toMatchObject({ paidLaunchesEnabled: false, rewardLaunchesEnabled: false, rewardLaunchesAdminOnly: true });
});

test('shared caches keep it only for a second, because clients read the switches here', async () => {
  expect((await app.inject(URL)).headers['cache-control']).toContain('s-maxage=1,');
});

test('the configuration that is not public is not in it', async () => {
  expect(JSON.stringify(await stats())).not.toMatch(/correct-horse|postgres:|seed|127\.0\.0\.1/);
});
