import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LaunchUnderTest, openTrader, swap } from '../support/exchange/launched-pool.ts';
import { startMarketFixture } from '../support/market/market-platform.ts';
import { storedOf } from '../support/market/stored.ts';

const ground = await startMarketFixture();
afterAll(() => ground.close());

let launches: LaunchUnderTest[];

beforeAll(async () => {
  launches = [await ground.launch(), await ground.launch(), await ground.launch()];
  const index = ground.index();
  await index.lookAtMarket();
  ground.finalize();
  await index.lookAtMarket();
});

const silence = () => sql`update pool_cursors set updated_at = now() - interval '2 hours'`.execute(ground.db);
const buy = async (launch: LaunchUnderTest) =>
  swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: 5_000_000n });

it('looks at quiet pools in turn, and finds what was traded in each of them', async () => {
  await silence();
  for (const launch of launches) await buy(launch);
  const index = ground.index({ settings: { quietPools: 1 } });
  const looked = [await index.lookAtMarket()];
  expect(looked[0]).toMatchObject({ pools: 1, changed: 1 });
  ground.finalize();
  for (let turn = 1; turn < 3; turn++) looked.push(await index.lookAtMarket());
  // A pool that was found to have traded is lively from then on.
  expect(looked.map(({ pools }) => pools)).toEqual([1, 2, 3]);
  ground.finalize();
  await index.lookAtMarket();
  for (const launch of launches) await storedOf(ground, launch).expectCounted();
});

it('looks at a quiet pool at once where somebody heard of it', async () => {
  await silence();
  const [, , launch] = launches as [LaunchUnderTest, LaunchUnderTest, LaunchUnderTest];
  await buy(launch);
  const index = ground.index({ settings: { quietPools: 1 } });
  expect(await index.pollPools([launch.pool.toBase58()])).toMatchObject({ pools: 1, changed: 1, stored: 1 });
});
