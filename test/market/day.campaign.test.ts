import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { BigNumber } from 'bignumber.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountOf } from '../support/exchange/test-chain.ts';
import { QUOTE_DECIMALS } from '../support/exchange/launch-request.ts';
import { runDoomedIndex } from '../support/market/doomed-index.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { type CountedTrade, countedPoolOf, recount } from '../support/market/recount.ts';
import { indexBy, MARKET_SOURCES } from '../support/market/sources.ts';
import { storedOf } from '../support/market/stored.ts';
import { type DayPool, openDay, tradeAllDay } from '../support/market/trading-day.ts';

/** MARKET_DAY=full is the whole day of 2,000 trades on 50 pools, some minutes. */
const FULL = process.env['MARKET_DAY'] === 'full';
const SIZE = FULL ? { pools: 50, trades: 2_000 } : { pools: 8, trades: 120 };
/** The chain's clock runs so much faster that the trades spread over more than a day. */
const SPEED = FULL ? 600 : 6_000;
/** An indexer lives at most so long, ms. */
const LIFE_MS = FULL ? 600 : 150;
const FORKS = FULL ? 6 : 2;
const LIMIT_MS = FULL ? 1_200_000 : 300_000;

const Exact = BigNumber.clone({ DECIMAL_PLACES: 80, EXPONENTIAL_AT: 1e9, ROUNDING_MODE: BigNumber.ROUND_HALF_UP });
const DAY_MS = 24 * 3_600_000;

describe.each(MARKET_SOURCES)('a random day of an index that %s, killed at random', { timeout: LIMIT_MS }, (source) => {
  let ground: MarketFixture;
  let day: DayPool[];
  let at: number;
  let kills = 0;
  const counted = new Map<DayPool, CountedTrade[]>();
  const stored = ({ launch }: DayPool) => storedOf(ground, launch);

  beforeAll(async () => {
    ground = await startMarketFixture({ slotMs: 25, speed: SPEED, stream: true });
    day = await openDay(ground, SIZE);
    // Whoever is killed goes on from where this one came to.
    const first = indexBy(ground, source);
    await first.lookAtMarket();
    await first.stop();
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        const one = runDoomedIndex(ground, Math.random() * LIFE_MS, source);
        // Now and then two at once, as when a step was given up and goes on all the same.
        await Promise.all(Math.random() < 0.3 ? [one, runDoomedIndex(ground, Math.random() * LIFE_MS, source)] : [one]);
        kills++;
      }
    })();
    const forking = (async () => {
      for (let fork = 0; fork < FORKS && !isOver; fork++) {
        await sleep(2_000);
        ground.localnet.control.skipSlot({ slots: 3, reland: [] });
      }
    })();
    const trades = await tradeAllDay(ground, day, SIZE).finally(() => (isOver = true));
    await Promise.all([killing, forking]);
    at = ground.now();
    const index = indexBy(ground, source, { now: () => new Date(at) });
    await index.lookAtMarket();
    ground.finalize();
    for (let look = 0; look < 3; look++) await index.lookAtMarket();
    await index.stop();
    while ((await index.refreshMarketFigures()) > 0) await sleep(1);
    for (const pool of day) counted.set(pool, await recount(ground.connection, countedPoolOf(pool.launch)));
    console.log(`${trades} trades on ${day.length} pools, the indexer killed ${kills} times`);
  }, LIMIT_MS);
  afterAll(() => ground.close());

  it('leaves the swaps that an independent recount of the chain finds, to the unit', async () => {
    let total = 0;
    for (const pool of day) {
      const trades = counted.get(pool)!;
      const swaps = await stored(pool).swaps();
      expect(swaps).toMatchObject(trades.map((trade) => ({ ...trade, finalized: true })));
      total += trades.length;
    }
    expect(total).toBeGreaterThanOrEqual(SIZE.trades * 0.8);
    expect(kills).toBeGreaterThan(3);
  });

  it('leaves every cursor settled where its vault stands', async () => {
    for (const pool of day) {
      const { launch } = pool;
      const vault = accountOf(launch.request.base, launch.pool);
      const baseRaw = await ground.chain.balance(vault);
      expect(await stored(pool).cursor()).toMatchObject({ changedSlot: null, gap: null, baseRaw });
    }
  });

  it('gives each swap the price that was quoted for it, and what its quote token cost then', async () => {
    for (const pool of day) {
      for (const swap of await stored(pool).swaps()) {
        const sqrtPrice = pool.quoted.get(swap.signature);
        if (sqrtPrice !== undefined) expect(swap.priceQuote).toBe(priceOf(pool, sqrtPrice));
        const quoteUsd = usdAt(pool, swap.blockTime);
        expect(swap.quoteUsd).toBe(plain(quoteUsd));
        expect(swap.priceUsd).toBe(plain(new Exact(swap.priceQuote).times(quoteUsd), 30));
        expect(swap.valueUsd).toBe(plain(valueOf(swap, quoteUsd), 10));
      }
    }
  });

  it('leaves every figure as a recomputation from the recount has it', async () => {
    for (const pool of day) {
      const [market, cursor] = await Promise.all([stored(pool).market(), stored(pool).cursor()]);
      const story = inspect({ market, cursor });
      expect(market, story).toMatchObject(await figuresOf(ground, pool, counted.get(pool)!, at));
    }
  });

  it('leaves nothing that an index which starts over would not find again', async () => {
    const before = await everySwap(ground);
    await ground.db.deleteFrom('marketSwaps').execute();
    const nothing = { seen: null, changedSlot: null, finalizedSlot: 0n, baseRaw: 0n };
    await ground.db.updateTable('poolCursors').set(nothing).execute();
    const index = ground.index({ now: () => new Date(at) });
    const started = performance.now();
    await index.lookAtMarket();
    const seconds = (performance.now() - started) / 1_000;
    await index.lookAtMarket();
    expect(await everySwap(ground)).toEqual(before);
    console.log(`${before.length} swaps indexed anew in ${seconds.toFixed(1)} s`);
  });
});

function everySwap({ db }: MarketFixture) {
  return db.selectFrom('swaps').selectAll().orderBy('signature').orderBy('index').execute();
}

function plain(value: BigNumber.Value, digits = 20): string {
  return new Exact(value).decimalPlaces(digits).toFixed();
}

function priceOf({ launch }: DayPool, sqrtPriceX64: bigint): string {
  const { base, quote, plan } = launch.request;
  const ratio = new Exact(sqrtPriceX64.toString()).div(new Exact(2).pow(64)).pow(2);
  const raw = plan.opening.baseIsToken0 ? ratio : new Exact(1).div(ratio);
  return plain(raw.times(new Exact(10).pow(base.decimals - quote.decimals)), 30);
}

/** The last price that was set by the end of a block's second. */
function usdAt({ prices }: DayPool, blockTime: Date): string {
  return prices.findLast((price) => price.at < blockTime.getTime() + 1_000)?.usd ?? 'none';
}

function valueOf({ quoteRaw }: Pick<CountedTrade, 'quoteRaw'>, quoteUsd: string): BigNumber {
  return new Exact(quoteRaw.toString()).shiftedBy(-QUOTE_DECIMALS).times(quoteUsd);
}

async function figuresOf(ground: MarketFixture, pool: DayPool, trades: readonly CountedTrade[], at: number) {
  const { launch, prices, quoted } = pool;
  const state = await launch.state();
  const usd = prices.at(-1)!.usd;
  const priceQuote = priceOf(pool, state.sqrtPriceX64);
  const priceUsd = plain(new Exact(priceQuote).times(usd), 30);
  const recent = trades.filter(({ blockTime }) => blockTime.getTime() > at - DAY_MS);
  const volume = BigNumber.sum(0, ...recent.map((trade) => plain(valueOf(trade, usdAt(pool, trade.blockTime)), 10)));
  const before = trades.findLast(({ blockTime }) => blockTime.getTime() <= at - DAY_MS);
  const sqrtBefore = before && quoted.get(before.signature);
  const priceBefore =
    sqrtBefore && plain(new Exact(priceOf(pool, sqrtBefore)).times(usdAt(pool, before.blockTime)), 30);
  const base = await ground.chain.balance(accountOf(launch.request.base, launch.pool));
  const quote = await ground.chain.balance(accountOf(launch.request.quote, launch.pool));
  return {
    priceQuote,
    priceUsd,
    marketCapUsd: plain(new Exact(priceUsd).times(1e9), 10),
    volume24hUsd: plain(volume, 10),
    liquidityUsd: plain(
      new Exact(plain(new Exact(base.toString()).shiftedBy(-9).times(priceUsd), 10)).plus(
        plain(valueOf({ quoteRaw: quote }, usd), 10),
      ),
      10,
    ),
    ...(before === undefined && { priceChange24hPercent: null }),
    ...(priceBefore && {
      priceChange24hPercent: plain(new Exact(priceUsd).div(priceBefore).minus(1).times(100), 4),
    }),
    ...highWater(pool, trades),
  };
}

/** Known of pools all of whose prices were quoted by the test itself: a dev buy's is not. */
function highWater(pool: DayPool, trades: readonly CountedTrade[]) {
  const caps = trades.map(({ signature, blockTime }) => {
    const sqrtPrice = pool.quoted.get(signature);
    if (sqrtPrice === undefined) return null;
    const priceUsd = plain(new Exact(priceOf(pool, sqrtPrice)).times(usdAt(pool, blockTime)), 30);
    return plain(new Exact(priceUsd).times(1e9), 10);
  });
  if (caps.length === 0 || caps.includes(null)) return {};
  return { highWaterMarketCapUsd: BigNumber.max(...caps.map((cap) => cap!)).toFixed() };
}
