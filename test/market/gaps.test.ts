import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens, type Stored, storedOf } from '../support/market/stored.ts';

const ground: MarketFixture = await startMarketFixture();
const { control } = ground.localnet;
afterAll(() => ground.close());

describe('an index of two endpoints', () => {
  const index = ground.index({ rpc: ground.rpc('a', 'b') });
  let launch: LaunchUnderTest;
  let trader: Trader;
  let stored: Stored;

  beforeEach(async () => {
    for (const endpoint of ['a', 'b']) control.clear(endpoint);
    launch = await ground.launch();
    stored = storedOf(ground, launch);
    trader = await openTrader(launch);
    await stored.settle(index);
  });

  const buy = (whole: bigint) => swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(whole) });

  it('finds at the other what one has forgotten', async () => {
    await buy(11n);
    const { slot } = await buy(12n).then((landed) => landed.response);
    await buy(13n);
    ground.finalize();
    control.loseHistory(slot + 1, 'a');
    await stored.settle(index);
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(3);
  });

  it('does not move on over a gap that neither can fill, says so, and heals by itself', async () => {
    const settled = (await stored.cursor()).finalizedSlot;
    await buy(21n);
    const { slot } = await buy(22n).then((landed) => landed.response);
    await buy(23n);
    ground.finalize();
    for (const endpoint of ['a', 'b']) control.loseHistory(slot + 1, endpoint);
    await index.lookAtMarket();
    await index.lookAtMarket();
    const cursor = await stored.cursor();
    expect(cursor.finalizedSlot).toBe(settled);
    expect(cursor.gap).toMatch(/the vault held \d+ and the next known transactions, of slot \d+, begin with \d+/);
    expect(index.state()).toMatchObject({ gaps: 1 });
    // What is known shows meanwhile, as not final.
    expect(await stored.swaps()).toMatchObject([{ finalized: false }]);
    for (const endpoint of ['a', 'b']) control.clear(endpoint);
    await stored.settle(index);
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(3);
  });

  it('moves on over a gap that an operator accepts, and keeps what it had', async () => {
    await buy(24n);
    await stored.settle(index);
    await buy(25n);
    const { slot } = await buy(26n).then((landed) => landed.response);
    await buy(27n);
    ground.finalize();
    for (const endpoint of ['a', 'b']) control.loseHistory(slot + 1, endpoint);
    await index.lookAtMarket();
    const mint = launch.request.base.mint.toBase58();
    const ask = { mint, actor: 'test', repair: true };
    const refused = await index.checkMarket({ ...ask, acceptGap: false });
    expect(refused).toMatchObject({
      repaired: false,
      extra: [],
      gap: expect.stringContaining('the vault held') as string,
    });
    expect(await index.checkMarket({ ...ask, acceptGap: true })).toMatchObject({ repaired: true });
    expect((await stored.swaps()).map(({ quoteRaw }) => quoteRaw)).toEqual([quoteTokens(24n), quoteTokens(27n)]);
    await buy(28n);
    await stored.settle(index);
    expect(await stored.swaps()).toHaveLength(3);
  });

  it('goes on with one that answers while the other fails', async () => {
    control.stall('error', undefined, 'a');
    await buy(31n);
    await stored.settle(index);
    await stored.expectCounted();
  });

  it('loses nothing while one lags behind the other', async () => {
    control.lag(20, 'a');
    await buy(41n);
    await index.lookAtMarket();
    await buy(42n);
    ground.finalize();
    await index.lookAtMarket();
    control.clear('a');
    await stored.settle(index);
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(2);
  });

  it('catches up with everything that happened while nobody looked', async () => {
    for (const whole of [1n, 2n, 3n, 4n, 5n, 6n]) await buy(whole);
    ground.finalize();
    await buy(7n);
    await stored.settle(index);
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(7);
  });

  it('tells of an outage and goes on after it', async () => {
    await buy(51n);
    for (const endpoint of ['a', 'b']) control.stall('error', undefined, endpoint);
    await expect(index.lookAtMarket()).rejects.toThrow();
    for (const endpoint of ['a', 'b']) control.clear(endpoint);
    await stored.settle(index);
    await stored.expectCounted();
  });
});
