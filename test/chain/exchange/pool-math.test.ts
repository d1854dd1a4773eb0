import { describe, expect, test } from 'vitest';
import {
  claimableFees,
  grossOfNet,
  integerSquareRoot,
  MAX_SQRT_PRICE_X64,
  MAX_TICK,
  MIN_SQRT_PRICE_X64,
  MIN_TICK,
  runSwap,
  sqrtPriceAtTick,
  type SwapPool,
  tickAtSqrtPrice,
  transferTax,
  U64_MAX,
} from '../../../chain/exchange/pool-math.ts';

const RATES = { feePpm: 10_000, protocolPpm: 120_000, fundPpm: 40_000 };
const LIQUIDITY = 70_667_687_108_178n;

/** A one-sided pool at its opening: base is token0 above the price, or token1 below it. */
function openedPool(baseIsToken0: boolean): SwapPool {
  const [lower, upper] = baseIsToken0 ? [-191_160, 443_520] : [-443_520, 191_160];
  const tick = baseIsToken0 ? lower : upper;
  return {
    sqrtPriceX64: sqrtPriceAtTick(tick),
    tick,
    liquidity: baseIsToken0 ? LIQUIDITY : 0n,
    ticks: [
      { tick: lower, liquidityNet: LIQUIDITY },
      { tick: upper, liquidityNet: -LIQUIDITY },
    ],
  };
}

const TOO_LARGE = { fill: 'tooLarge' };

function mustFill(pool: SwapPool, order: Parameters<typeof runSwap>[2]) {
  const result = runSwap(pool, RATES, order);
  if (result.fill !== 'filled') throw new Error(`the order is ${result.fill}`);
  return result.outcome;
}

describe('ticks', () => {
  test('the ends have the prices the program publishes', () => {
    expect(MIN_SQRT_PRICE_X64).toBe(4_295_048_016n);
    expect(MAX_SQRT_PRICE_X64).toBe(79_226_673_521_066_979_257_578_248_091n);
    expect(sqrtPriceAtTick(0)).toBe(1n << 64n);
  });

  test('the tick of a price is the greatest whose price is not above it', () => {
    for (let tick = MIN_TICK; tick < MAX_TICK; tick += 1_009) {
      const price = sqrtPriceAtTick(tick);
      expect(tickAtSqrtPrice(price)).toBe(tick);
      expect(tickAtSqrtPrice(sqrtPriceAtTick(tick + 1) - 1n)).toBe(tick);
    }
  });

  test.each([MIN_TICK - 1, MAX_TICK + 1, 0.5, Number.NaN])('tick %s is refused', (tick) => {
    expect(() => sqrtPriceAtTick(tick)).toThrow(RangeError);
  });

  test.each([0n, MIN_SQRT_PRICE_X64 - 1n, MAX_SQRT_PRICE_X64])('price %s is refused', (price) => {
    expect(() => tickAtSqrtPrice(price)).toThrow(RangeError);
  });
});

describe.each([true, false])('a one-sided pool whose base is token0: %s', (baseIsToken0) => {
  const buy = (amount: bigint, exact: 'in' | 'out' = 'in') => ({ zeroForOne: !baseIsToken0, exact, amount });
  const sell = (amount: bigint, exact: 'in' | 'out' = 'in') => ({ zeroForOne: baseIsToken0, exact, amount });

  test('has nothing to give for a sell until somebody has bought', () => {
    expect(runSwap(openedPool(baseIsToken0), RATES, sell(1_000_000_000n))).toEqual(TOO_LARGE);
  });

  test('cannot be sold more than was bought, and is whole again after everything was sold back', () => {
    const pool = openedPool(baseIsToken0);
    const bought = mustFill(pool, buy(1_000_000_000n));
    const after = { ...pool, ...bought };
    expect(runSwap(after, RATES, sell(bought.amountOut * 2n))).toEqual(TOO_LARGE);
    // Selling moves the price back; the fee stays behind, so the last of the quote tokens takes more than was bought.
    const returned = mustFill(after, sell(bought.amountOut));
    expect(returned.amountOut).toBeLessThan(bought.amountIn);
    const rest = mustFill({ ...after, ...returned }, buy(1_000n));
    expect(rest.amountOut).toBeGreaterThan(0n);
  });

  test('crosses its opening tick when a sell ends exactly there, and trades on from it', () => {
    const pool = openedPool(baseIsToken0);
    const bought = mustFill(pool, buy(1_000_000_000n));
    const after = { ...pool, ...bought };
    const most = largestSell(after, baseIsToken0, bought.amountOut);
    const back = mustFill(after, sell(most));
    const atOpening = { ...after, ...back };
    expect(runSwap(after, RATES, sell(most + 1n))).toEqual(TOO_LARGE);
    expect(runSwap(atOpening, RATES, sell(1_000_000n))).toEqual(TOO_LARGE);
    expect(mustFill(atOpening, buy(1_000_000n)).amountOut).toBeGreaterThan(0n);
  });

  test('gives exactly what an exact-out order asks, for no less than exact-in would take', () => {
    const pool = openedPool(baseIsToken0);
    const wanted = 12_345_678_987_654n;
    const out = mustFill(pool, buy(wanted, 'out'));
    expect(out.amountOut).toBe(wanted);
    expect(mustFill(pool, buy(out.amountIn)).amountOut).toBeGreaterThanOrEqual(wanted);
    expect(mustFill(pool, buy(out.amountIn - 2n)).amountOut).toBeLessThan(wanted);
  });

  test('never hands out the whole supply', () => {
    expect(runSwap(openedPool(baseIsToken0), RATES, buy(10n ** 18n, 'out'))).toEqual(TOO_LARGE);
  });

  test('calls an order too small whose input is all fee, and one of nothing', () => {
    expect(runSwap(openedPool(baseIsToken0), RATES, buy(1n))).toEqual({ fill: 'tooSmall' });
    expect(runSwap(openedPool(baseIsToken0), RATES, buy(0n))).toEqual({ fill: 'tooSmall' });
    expect(runSwap(openedPool(baseIsToken0), RATES, buy(0n, 'out'))).toEqual({ fill: 'tooSmall' });
  });

  test('splits every fee completely between protocol, fund and positions', () => {
    const outcome = mustFill(openedPool(baseIsToken0), buy(777_777_777n));
    const fee = outcome.amountIn - (outcome.amountIn * 990_000n) / 1_000_000n;
    const positions = (outcome.feeGrowthX64 * LIQUIDITY) / (1n << 64n);
    const missing = fee - outcome.protocolFee - outcome.fundFee - positions;
    expect(outcome.protocolFee).toBe((fee * 12n) / 100n);
    expect(outcome.fundFee).toBe((fee * 4n) / 100n);
    expect(missing >= 0n && missing <= 2n).toBe(true);
  });
});

/** The most base tokens that a pool takes, by bisection. */
function largestSell(pool: SwapPool, baseIsToken0: boolean, bought: bigint): bigint {
  let [fits, tooMuch] = [bought / 2n, bought * 2n];
  while (tooMuch - fits > 1n) {
    const middle = (fits + tooMuch) / 2n;
    const { fill } = runSwap(pool, RATES, { zeroForOne: baseIsToken0, exact: 'in', amount: middle });
    if (fill === 'filled') fits = middle;
    else tooMuch = middle;
  }
  return fits;
}

test('claimable fees survive a growth counter that wrapped around', () => {
  const last = (1n << 128n) - (1n << 64n);
  expect(claimableFees(5n, 1n << 64n, last, 1_000n)).toBe(5n + 2_000n);
});

test('integer square roots are the greatest whose square fits', () => {
  for (const value of [0n, 1n, 2n, 3n, 4n, 99n, 100n, 10n ** 40n - 1n, 10n ** 40n, (1n << 256n) - 1n]) {
    const root = integerSquareRoot(value);
    expect(root * root <= value && (root + 1n) * (root + 1n) > value).toBe(true);
  }
  expect(() => integerSquareRoot(-1n)).toThrow(RangeError);
});

describe('a transfer tax', () => {
  const tax = { bps: 300, maximumRaw: U64_MAX };

  test('is rounded up and never beyond its maximum', () => {
    expect([0n, 1n, 33n, 34n, 10_000n].map((amount) => transferTax(tax, amount))).toEqual([0n, 1n, 1n, 2n, 300n]);
    expect(transferTax({ bps: 300, maximumRaw: 7n }, 10_000n)).toBe(7n);
    expect(transferTax(undefined, 10_000n)).toBe(0n);
  });

  test('is undone by its inverse: so much sent, at least that much arrives, and one less sent would not do', () => {
    for (let net = 1n; net < 4_000n; net += 7n) {
      const gross = grossOfNet(tax, net);
      expect(gross - transferTax(tax, gross)).toBe(net);
    }
    expect(grossOfNet({ bps: 300, maximumRaw: 7n }, 10_000n)).toBe(10_007n);
    expect(grossOfNet(undefined, 10_000n)).toBe(10_000n);
    expect(() => grossOfNet({ bps: 10_000, maximumRaw: U64_MAX }, 1n)).toThrow(RangeError);
  });
});
