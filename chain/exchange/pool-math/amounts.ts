import { divideUp, Q64 } from './integers.ts';

/** A price interval by its Q64.64 square roots; `lower` < `upper`. */
export interface SqrtRange {
  readonly lower: bigint;
  readonly upper: bigint;
}

/** The interval between two Q64.64 square-root prices, whichever is the lower. */
export function rangeBetween(a: bigint, b: bigint): SqrtRange {
  return a < b ? { lower: a, upper: b } : { lower: b, upper: a };
}

/**
 * token0 that `liquidity` holds over a range, raw units: L · (1/√lower − 1/√upper), rounded up for what the pool takes
 * and down for what it gives.
 */
export function amount0Of(range: SqrtRange, liquidity: bigint, round: 'up' | 'down'): bigint {
  const numerator = (liquidity << 64n) * (range.upper - range.lower);
  const denominator = range.lower * range.upper;
  return round === 'up' ? divideUp(numerator, denominator) : numerator / denominator;
}

/** token1 that `liquidity` holds over a range, raw units: L · (√upper − √lower), rounded as `amount0Of`. */
export function amount1Of(range: SqrtRange, liquidity: bigint, round: 'up' | 'down'): bigint {
  const product = liquidity * (range.upper - range.lower);
  return round === 'up' ? divideUp(product, Q64) : product / Q64;
}

/** Liquidity that `amount` raw units of token0 alone give over a range above the price, rounded as the program does. */
export function liquidityOfAmount0(range: SqrtRange, amount: bigint): bigint {
  return (amount * ((range.lower * range.upper) / Q64)) / (range.upper - range.lower);
}

/** Liquidity that `amount` raw units of token1 alone give over a range below the price, rounded as the program does. */
export function liquidityOfAmount1(range: SqrtRange, amount: bigint): bigint {
  return (amount * Q64) / (range.upper - range.lower);
}
