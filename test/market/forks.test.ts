import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeProvisional } from '../../db/market/swaps.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { indexBy, MARKET_SOURCES, type SourcedIndex } from '../support/market/sources.ts';
import { quoteTokens, type Stored, storedOf } from '../support/market/stored.ts';

describe.each(MARKET_SOURCES)('a fork, where the index %s', (source) => {
  let ground: MarketFixture;
  let index: SourcedIndex;
  beforeAll(async () => {
    // Slots long enough that nothing becomes final between two steps of a test.
    ground = await startMarketFixture({ slotMs: source === 'follows a stream' ? 200 : 60, stream: true });
    index = indexBy(ground, source);
  });
  afterAll(async () => {
    await index.stop();
    await ground.close();
  });

  let launch: LaunchUnderTest;
  let trader: Trader;
  let stored: Stored;

  beforeEach(async () => {
    launch = await ground.launch();
    stored = storedOf(ground, launch);
    trader = await openTrader(launch);
    await stored.settle(index);
  });

  const buy = (whole: bigint) => swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(whole) });

  it('that takes a swap back withdraws it, and its figures with it', async () => {
    const before = await stored.figures();
    await buy(500n);
    await index.lookAtMarket();
    expect(await stored.swaps()).toHaveLength(1);
    ground.localnet.control.skipSlot({ reland: [] });
    await index.lookAtMarket();
    expect(await stored.swaps()).toEqual([]);
    await stored.settle(index);
    expect(await stored.figures()).toEqual({ ...before, volume24hUsd: '0' });
  });

  it('that an index died of after it withdrew a swap leaves figures that the next refresh computes anew', async () => {
    const before = await stored.figures();
    await buy(500n);
    await index.lookAtMarket();
    const [taken] = await stored.swaps();
    ground.localnet.control.skipSlot({ reland: [] });
    ground.localnet.control.advanceSlots(3);
    await storeProvisional(ground.db, launch.pool.toBase58(), [], [taken!.signature]);
    while ((await index.refreshMarketFigures()) > 0);
    expect(await stored.figures()).toEqual({ ...before, volume24hUsd: '0' });
    await stored.settle(index);
  });

  it('that lands a swap again in another slot moves it there, once', async () => {
    await buy(50n);
    await index.lookAtMarket();
    const [first] = await stored.swaps();
    const { relanding } = ground.localnet.control.skipSlot({ reland: [0] });
    expect(relanding).toEqual([first?.signature]);
    ground.localnet.control.advanceSlots(3);
    await stored.settle(index);
    await stored.expectCounted();
    const [again, ...others] = await stored.swaps();
    expect(others).toEqual([]);
    expect(again?.slot).toBeGreaterThan(first?.slot ?? 0n);
  });

  it('of which nobody looked while it lasted leaves no trace', async () => {
    await buy(20n);
    ground.localnet.control.skipSlot({ reland: [] });
    await buy(30n);
    await stored.settle(index);
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(1);
  });

  it('that takes a whole launch back takes its swaps, and waits for nothing once that is final', async () => {
    const fresh = await ground.launch({ devBuy: true });
    const kept = storedOf(ground, fresh);
    await index.lookAtMarket();
    const [devBuy, ...others] = await kept.swaps();
    expect(others).toEqual([]);
    ground.localnet.control.skipSlot({ fromSlot: Number(devBuy?.slot), reland: [] });
    await index.lookAtMarket();
    expect(await kept.swaps()).toEqual([]);
    await kept.settle(index);
  });

  it.skipIf(source === 'follows a stream')('is not believed of an endpoint that lags', async () => {
    const lagging = ground.index({ rpc: ground.rpc('late', 'prompt') });
    await buy(10n);
    await lagging.lookAtMarket();
    expect(await stored.swaps()).toHaveLength(1);
    ground.localnet.control.lag(10, 'late');
    await lagging.pollPools([launch.pool.toBase58()]);
    expect(await stored.swaps()).toHaveLength(1);
    ground.localnet.control.clear('late');
    await stored.settle(lagging);
    await stored.expectCounted();
  });
});
