import { afterAll, expect, it } from 'vitest';
import { openTrader, swap } from '../support/exchange/launched-pool.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens, storedOf } from '../support/market/stored.ts';

const ground: MarketFixture = await startMarketFixture();
const index = ground.index();
afterAll(() => ground.close());

const MINUTE_MS = 60_000;

it('holders are counted when a token has traded, and not again before it trades again', async () => {
  const launch = await ground.launch();
  const stored = storedOf(ground, launch);
  const buy = async () => {
    await swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: quoteTokens(10n) });
    await stored.settle(index);
  };
  const inMinutes = (minutes: number) => ground.index({ now: () => new Date(ground.now() + minutes * MINUTE_MS) });
  const holders = async () => (await stored.market()).holders;

  expect(await holders()).toBeNull();
  expect(await index.countHolders()).toBe(1);
  const { value: accounts } = await ground.connection.getTokenLargestAccounts(launch.request.base.mint);
  const opened = accounts.filter(({ amount }) => amount !== '0').length;
  expect(await holders()).toBe(opened);
  await buy();
  await buy();
  expect(await index.countHolders()).toBe(0);
  expect(await inMinutes(6).countHolders()).toBe(1);
  expect(await holders()).toBe(opened + 2);
  expect(await inMinutes(12).countHolders()).toBe(0);
});

it('a token that cannot be counted waits behind the others, and a round takes no more than it may', async () => {
  await Promise.all([ground.launch(), ground.launch(), ground.launch()]);
  const unreachable = ground.index({ rpc: ground.rpc('nowhere/at/all') });
  expect(await unreachable.countHolders()).toBe(0);
  expect(await index.countHolders()).toBe(1);
  expect(await index.countHolders()).toBe(0);
});
