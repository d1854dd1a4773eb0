import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { burnPriceUsd } from '../../activities/fee-sweep/burn-price.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { type LaunchUnderTest, openTrader, swap } from '../support/exchange/launched-pool.ts';
import { intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens, storedOf } from '../support/market/stored.ts';
import { spendableUsd } from '../support/trading/spendable.ts';

const MINUTES = 10;
const ground: MarketFixture = await startMarketFixture();
let launch: LaunchUnderTest;
let mint: string;
beforeAll(async () => {
  launch = await ground.launch();
  mint = launch.request.base.mint.toBase58();
});
afterAll(() => ground.close());

const priceAt = (quoteUsd: string | null) => {
  const logger = pino({ level: 'silent' });
  const now = () => new Date(ground.now());
  const deps = { db: ground.db, rpc: ground.rpc(''), now, logger, rules: { averageMinutes: MINUTES } };
  return burnPriceUsd(deps, mint, quoteUsd === null ? null : spendableUsd(quoteUsd));
};

it('what is burned has no price while its market is not known', async () => {
  expect(await priceAt('1')).toBeNull();
});

it('what is burned is valued by an average, which a trade right before the sweep hardly moves', async () => {
  const terms = launchTerms();
  const { addresses, opening } = terms;
  const index = ground.index();
  const stored = storedOf(ground, launch);
  await stored.settle(index);
  const { priceQuote } = await stored.market();
  await insertIntake(
    ground.db,
    intakeOf({ ...terms, addresses: { ...addresses, mint }, opening: { ...opening, ...launch.request.plan.opening } }),
  );
  const launchedAt = new Date(ground.now() - MINUTES * 60_000);
  await ground.db.updateTable('launches').set({ launchedAt }).where('mint', '=', mint).execute();
  const opened = Number(priceQuote);
  await swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: quoteTokens(9_500n) });
  await stored.settle(index);
  const moved = await stored.market();
  expect(Number(moved.priceUsd)).toBeGreaterThan(7 * opened);
  expect(Number(await priceAt('1'))).toBeLessThan(1.5 * opened);
  expect(Number(await priceAt('2'))).toBeGreaterThan(2 * opened * 0.99);
  expect(await priceAt(null)).toBeNull();
});
