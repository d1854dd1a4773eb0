import { BigNumber } from 'bignumber.js';

const BPS = 10_000n;
const PPM = 1_000_000n;

/** Limits of a swap that the platform makes on a market of its own. */
export interface MarketLimits {
  /** Most by which one swap may move the pool's price, bps. */
  readonly maxImpactBps: number;
  /** Most by which a swap may fill worse than the average price after fees and taxes, bps. */
  readonly maxBelowAverageBps: number;
  /** Most by which it may fill worse than it was quoted, bps. */
  readonly maxSlippageBps: number;
}

/** True while a pool's price moves by no more than so many bps. Prices are square roots, whichever token they are of. */
export function isWithinImpact(sqrtBefore: bigint, sqrtAfter: bigint, maxImpactBps: number): boolean {
  const [low, high] = sqrtBefore < sqrtAfter ? [sqrtBefore, sqrtAfter] : [sqrtAfter, sqrtBefore];
  // The same bound both ways: a rise by 1/(1 - x) is undone by a fall of x.
  return low * low * BPS >= high * high * (BPS - BigInt(maxImpactBps));
}

/** A swap as a pool would fill it, with what its fill is judged by. */
export interface JudgedSwap {
  readonly side: 'buy' | 'sell';
  /** What the pool takes in, after a transfer tax of the input; raw units. */
  readonly poolIn: bigint;
  /** Trade fee in ppm of the input. */
  readonly feePpm: number;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** Whole quote tokens per whole base token, decimal string above zero. */
  readonly averagePrice: string;
}

/**
 * Least that the pool must give, raw units of the output: the input less the trade fee at the average price, less the
 * tolerance, rounded up.
 */
export function leastPoolOut(swap: JudgedSwap, maxBelowAverageBps: number): bigint {
  const { side, poolIn, feePpm, baseDecimals, quoteDecimals, averagePrice } = swap;
  const netIn = (poolIn * (PPM - BigInt(feePpm))) / PPM;
  const { numerator, denominator } = fraction(averagePrice);
  const [base, quote] = [10n ** BigInt(baseDecimals), 10n ** BigInt(quoteDecimals)];
  const [up, down] =
    side === 'sell' ? [numerator * quote, denominator * base] : [denominator * base, numerator * quote];
  return divideUp(netIn * up * (BPS - BigInt(maxBelowAverageBps)), down * BPS);
}

/** Share of an amount that is left after so many bps, rounded up. */
export function lessBpsUp(amount: bigint, bps: number): bigint {
  return divideUp(amount * (BPS - BigInt(bps)), BPS);
}

/** The greatest amount from 1 to `most` that is acceptable, where every smaller one is too; 0 where none is. */
export function greatestAcceptable(most: bigint, isAcceptable: (amount: bigint) => boolean): bigint {
  if (most < 1n) return 0n;
  if (isAcceptable(most)) return most;
  let [good, bad] = [0n, most];
  while (bad - good > 1n) {
    const middle = (good + bad) / 2n;
    if (isAcceptable(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** A plain decimal above zero as a fraction of integers. */
function fraction(decimal: string): { readonly numerator: bigint; readonly denominator: bigint } {
  const value = new BigNumber(decimal);
  if (!value.isFinite() || value.lte(0)) throw new RangeError(`"${decimal}" is no price above zero`);
  const digits = value.decimalPlaces() ?? 0;
  return { numerator: BigInt(value.shiftedBy(digits).toFixed()), denominator: 10n ** BigInt(digits) };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
