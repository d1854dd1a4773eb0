import { BigNumber } from 'bignumber.js';

const BPS = 10_000n;
const PPM = 1_000_000n;

export interface MarketLimits {
  readonly maxImpactBps: number;
  /** After fees and taxes. */
  readonly maxBelowAverageBps: number;
  /** Against the quote. */
  readonly maxSlippageBps: number;
}

/** True if the price impact is within the limit. Takes square roots of the price of either token. */
export function isWithinImpact(sqrtBefore: bigint, sqrtAfter: bigint, maxImpactBps: number): boolean {
  const [low, high] = sqrtBefore < sqrtAfter ? [sqrtBefore, sqrtAfter] : [sqrtAfter, sqrtBefore];
  // Symmetric: a rise by 1/(1 - x) undoes a fall of x.
  return low * low * BPS >= high * high * (BPS - BigInt(maxImpactBps));
}

export interface JudgedSwap {
  readonly side: 'buy' | 'sell';
  /** After transfer tax. */
  readonly poolIn: bigint;
  readonly feePpm: number;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** Whole tokens, above zero. */
  readonly averagePrice: string;
}

/** Returns the least output: input less trade fee at the average price, less the tolerance, rounded up. */
export function leastPoolOut(swap: JudgedSwap, maxBelowAverageBps: number): bigint {
  const { side, poolIn, feePpm, baseDecimals, quoteDecimals, averagePrice } = swap;
  const netIn = (poolIn * (PPM - BigInt(feePpm))) / PPM;
  const { numerator, denominator } = fraction(averagePrice);
  const [base, quote] = [10n ** BigInt(baseDecimals), 10n ** BigInt(quoteDecimals)];
  const [up, down] =
    side === 'sell' ? [numerator * quote, denominator * base] : [denominator * base, numerator * quote];
  return divideUp(netIn * up * (BPS - BigInt(maxBelowAverageBps)), down * BPS);
}

/** Takes `bps` off an amount, rounded up. */
export function lessBpsUp(amount: bigint, bps: number): bigint {
  return divideUp(amount * (BPS - BigInt(bps)), BPS);
}

/** Returns the greatest acceptable amount from 1 to `most`, if all smaller ones are acceptable too; 0 if none is. */
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

function fraction(decimal: string): { readonly numerator: bigint; readonly denominator: bigint } {
  const value = new BigNumber(decimal);
  if (!value.isFinite() || value.lte(0)) throw new RangeError(`"${decimal}" is no price above zero`);
  const digits = value.decimalPlaces() ?? 0;
  return { numerator: BigInt(value.shiftedBy(digits).toFixed()), denominator: 10n ** BigInt(digits) };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
