import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MarketOrder, MarketRefusedError, sizeByQuorum } from '../../activities/trading/order.ts';
import type { AgreedAverage } from '../../activities/trading/average.ts';
import type { PoolState } from '../../chain/exchange/exchange.ts';
import { priceInQuote } from '../../domain/pool-price.ts';
import { type LaunchUnderTest, openTrader, swap } from '../support/exchange/launched-pool.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens } from '../support/market/stored.ts';

const ground: MarketFixture = await startMarketFixture();
afterAll(() => ground.close());

let launch: LaunchUnderTest;
let honest: PoolState;
let order: MarketOrder;
beforeAll(async () => {
  launch = await ground.launch();
  await swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: quoteTokens(5_000n) });
  honest = await launch.state();
  const { base, quote, plan } = launch.request;
  const { baseIsToken0 } = plan.opening;
  const decimals = { baseDecimals: base.decimals, quoteDecimals: quote.decimals };
  const averagePrice = priceInQuote({ sqrtPriceX64: honest.sqrtPriceX64, baseIsToken0, ...decimals }) as AgreedAverage;
  const limits = { maxImpactBps: 100, maxBelowAverageBps: 500, maxSlippageBps: 100 };
  order = { base, quote, side: 'buy', mostRaw: quoteTokens(100_000n), averagePrice, limits };
});

/** As an endpoint shows it that says there is so many times the liquidity. */
function deeper(times: bigint): PoolState {
  const ticks = honest.ticks.map((tick) => ({ ...tick, liquidityNet: tick.liquidityNet * times }));
  return { ...honest, activeLiquidity: honest.activeLiquidity * times, ticks };
}

const amountOf = (...states: readonly PoolState[]) =>
  sizeByQuorum(ground.exchange, states, order, Math.min(2, states.length)).request.amount;

it('one endpoint that shows a deeper pool enlarges no order', () => {
  const alone = amountOf(honest);
  expect(amountOf(deeper(100n))).toBeGreaterThan(20n * alone);
  expect(amountOf(deeper(100n), honest)).toBe(alone);
  expect(amountOf(honest, deeper(100n), honest)).toBe(alone);
});

it('one of three endpoints that shows a shallower pool, or none to trade in, lessens none', () => {
  const { sqrtPriceX64 } = honest;
  expect(amountOf({ ...honest, sqrtPriceX64: sqrtPriceX64 * 2n }, honest, honest)).toBe(amountOf(honest));
});

it('is refused where no quorum accepts it', () => {
  const moved = {
    ...honest,
    sqrtPriceX64: launch.request.plan.opening.baseIsToken0 ? honest.sqrtPriceX64 * 2n : honest.sqrtPriceX64 / 2n,
  };
  expect(() => amountOf(moved, moved, honest)).toThrow(MarketRefusedError);
});
