import { BigNumber } from 'bignumber.js';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { type MarketFixture, type MarketIndex, startMarketFixture } from '../support/market/market-platform.ts';
import { intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { quoteTokens, type Stored, storedOf } from '../support/market/stored.ts';

// Slots long enough that nothing becomes final between two steps of a test.
const ground: MarketFixture = await startMarketFixture({ slotMs: 60 });
const index: MarketIndex = ground.index();
afterAll(() => ground.close());

/** What it takes to bring a fresh pool of 5,000 USD beyond 40,000, and to 32,000. */
const BEYOND_GRADUATION = quoteTokens(9_500n);
const NEAR_GRADUATION = quoteTokens(7_800n);

describe('graduation', () => {
  let launch: LaunchUnderTest;
  let trader: Trader;
  let stored: Stored;

  beforeEach(async () => {
    launch = await ground.launch();
    stored = storedOf(ground, launch);
    trader = await openTrader(launch);
    await stored.settle(index);
  });

  const buy = (amount: bigint) => swap(launch, trader, { side: 'buy', exact: 'in', amount });
  const sellAll = async () => {
    const held = await ground.chain.balance(trader.baseAccount);
    return swap(launch, trader, { side: 'sell', exact: 'in', amount: held });
  };

  it('is for ever after a single buy through 40,000 USD and straight back, between two looks', async () => {
    await buy(BEYOND_GRADUATION);
    await sellAll();
    await stored.settle(index);
    expect(Number((await stored.market()).marketCapUsd)).toBeLessThan(6_000);
    expect(await index.graduate()).toBe(1);
    expect((await stored.market()).status).toBe('graduated');
    await buy(quoteTokens(1n));
    await stored.settle(index);
    await index.graduate();
    const market = await stored.market();
    expect(market.status).toBe('graduated');
    expect(Number(market.highWaterMarketCapUsd)).toBeGreaterThan(40_000);
  });

  it('waits until no fork can take the swap', async () => {
    await buy(BEYOND_GRADUATION);
    await index.lookAtMarket();
    expect(Number((await stored.market()).marketCapUsd)).toBeGreaterThan(40_000);
    expect(await index.graduate()).toBe(0);
    expect((await stored.market()).status).toBe('aboutToGraduate');
    ground.localnet.control.skipSlot({ reland: [] });
    await stored.settle(index);
    expect(await index.graduate()).toBe(0);
    expect((await stored.market()).status).toBe('new');
  });

  it('is near and far again, both ways, below the cap', async () => {
    await buy(NEAR_GRADUATION);
    await index.lookAtMarket();
    expect((await stored.market()).status).toBe('aboutToGraduate');
    await sellAll();
    await index.lookAtMarket();
    expect((await stored.market()).status).toBe('new');
    await stored.settle(index);
    expect(await index.graduate()).toBe(0);
  });

  describe('of a coin whose quote token has a market price', () => {
    const MINUTE_MS = 60_000;
    const quoteMint = () => launch.request.quote.mint;
    const priceAt = (usd: string, minutesAgo: number) =>
      ground.setPrice(quoteMint(), usd, ground.now() - minutesAgo * MINUTE_MS);
    /** A second old: the next block's time may be the second before this one. */
    const priceNow = (usd: string) => priceAt(usd, 1 / 60);
    /** Seen in every stretch of five minutes, from and to so many minutes ago. */
    const priceFor = async (usd: string, from: number, to: number) => {
      for (let minutesAgo = from; minutesAgo >= to; minutesAgo -= 5) await priceAt(usd, minutesAgo);
    };
    beforeEach(() =>
      ground.db
        .updateTable('pairs')
        .set({ priceSource: 'jupiter' })
        .where('mint', '=', quoteMint().toBase58())
        .execute(),
    );

    it('does not follow from a price that somebody moves for a moment, and does from one that stays', async () => {
      await priceFor('1', 110, 60);
      await buy(quoteTokens(1n));
      await stored.settle(index);
      const { highWaterMarketCapUsd: before } = await stored.market();
      await priceNow('20');
      await buy(quoteTokens(1n));
      await stored.settle(index);
      const moved = await stored.market();
      expect(Number(moved.marketCapUsd)).toBeGreaterThan(40_000);
      expect(moved.highWaterMarketCapUsd).toBe(before);
      expect(await index.graduate()).toBe(0);
      // By its steady price it has touched the cap, and swaps at the moved one do not count for it.
      await ground.db
        .updateTable('tokenMarkets')
        .set({ highWaterMarketCapUsd: '50000' })
        .where('mint', '=', launch.request.base.mint.toBase58())
        .execute();
      expect(await index.graduate()).toBe(0);
      await priceFor('20', 55, 5);
      expect(await index.graduate()).toBe(1);
    });

    it('is marked by the cheaper of present and steady price, and by none that is new', async () => {
      await priceAt('1', 10);
      await buy(quoteTokens(1n));
      await stored.settle(index);
      const { highWaterMarketCapUsd: before } = await stored.market();
      await priceNow('1');
      await buy(quoteTokens(1n));
      await stored.settle(index);
      expect((await stored.market()).highWaterMarketCapUsd).toBe(before);
      await priceFor('1', 70, 15);
      await priceNow('1.1');
      await buy(quoteTokens(1n));
      await stored.settle(index);
      const { marketCapUsd, highWaterMarketCapUsd } = await stored.market();
      expect(Number(highWaterMarketCapUsd)).toBeCloseTo(Number(marketCapUsd) / 1.1, 6);
    });

    /** Records the launch of the token, which has its opening price. */
    const recordOpening = async () => {
      await index.lookAtMarket();
      const { priceQuote } = await stored.market();
      const marketCapUsd = new BigNumber(priceQuote!).shiftedBy(9).toFixed();
      const opening = { ...launchTerms().opening, marketCapUsd, quotePriceUsd: '1' };
      const intake = intakeOf(launchTerms({ opening }));
      await insertIntake(ground.db, intake);
      await sql`update tokens set quote_id = ${intake.terms.quoteId}
        where mint = ${launch.request.base.mint.toBase58()}`.execute(ground.db);
    };
    const caps = async () => {
      const { status, marketCapUsd, highWaterMarketCapUsd } = await stored.market();
      return { status, cap: Number(marketCapUsd), peak: Number(highWaterMarketCapUsd) };
    };

    it.each(['with a trade', 'without any trade'])(
      'follows from a quote token that became dearer and stayed so, %s: the peak rises and never falls',
      async (how) => {
        await priceFor('1', 230, 180);
        if (how === 'with a trade') await buy(quoteTokens(100n));
        else await recordOpening();
        await stored.settle(index);
        const opened = await caps();
        // The middle of four hours is still 1: the price is not steady.
        await priceFor('10', 25, 5);
        await priceNow('10');
        await index.refreshMarketFigures();
        const moved = await caps();
        expect(moved.cap).toBeGreaterThan(45_000);
        expect(moved).toEqual({ status: 'aboutToGraduate', cap: moved.cap, peak: opened.peak });
        await priceFor('10', 90, 30);
        await index.refreshMarketFigures();
        const graduated = await caps();
        expect(graduated).toEqual({ status: 'graduated', cap: moved.cap, peak: moved.cap });
        await priceNow('1');
        await index.refreshMarketFigures();
        expect(await caps()).toEqual({ ...graduated, cap: expect.closeTo(moved.cap / 10, 6) as number });
      },
    );

    it('follows by the cheaper of present price and median: a peak below the cap rises to that alone', async () => {
      await recordOpening();
      await priceFor('2', 110, 5);
      await priceNow('2.2');
      await index.refreshMarketFigures();
      const { cap, peak, status } = await caps();
      expect([status, peak]).toEqual(['new', expect.closeTo((cap * 2) / 2.2, 6)]);
    });
  });

  it('comes near without a trade when the quote token becomes dearer', async () => {
    await buy(quoteTokens(2_200n));
    await stored.settle(index);
    expect((await stored.market()).status).toBe('new');
    await ground.setPrice(launch.request.quote.mint, '3.1');
    await index.refreshMarketFigures();
    expect((await stored.market()).status).toBe('aboutToGraduate');
    // An operator set this price: only a trade can touch the cap by it.
    await ground.setPrice(launch.request.quote.mint, '31');
    await index.refreshMarketFigures();
    expect(await index.graduate()).toBe(0);
    const market = await stored.market();
    expect([market.status, Number(market.highWaterMarketCapUsd) < 20_000]).toEqual(['aboutToGraduate', true]);
  });
});
