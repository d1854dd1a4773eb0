import { divideUp, Q64 } from './integers.ts';

/** Q64.64 square roots; `lower` < `upper`. */
export interface SqrtRange {
  readonly lower: bigint;
  readonly upper: bigint;
}

export function rangeBetween(a: bigint, b: bigint): SqrtRange {
  return a < b ? { lower: a, upper: b } : { lower: b, upper: a };
}

/** Computes L · (1/√lower − 1/√upper). Round up what the pool receives, down what it gives. */
export function amount0Of(range: SqrtRange, liquidity: bigint, round: 'up' | 'down'): bigint {
  const numerator = (liquidity << 64n) * (range.upper - range.lower);
  const denominator = range.lower * range.upper;
  return round === 'up' ? divideUp(numerator, denominator) : numerator / denominator;
}

/** Computes L · (√upper − √lower), rounded likewise. */
export function amount1Of(range: SqrtRange, liquidity: bigint, round: 'up' | 'down'): bigint {
  const product = liquidity * (range.upper - range.lower);
  return round === 'up' ? divideUp(product, Q64) : product / Q64;
}

/** Liquidity of an amount of token0 in a range above the price, rounded as the program does. */
export function liquidityOfAmount0(range: SqrtRange, amount: bigint): bigint {
  return (amount * ((range.lower * range.upper) / Q64)) / (range.upper - range.lower);
}

/** Liquidity of an amount of token1 in a range below the price, rounded as the program does. */
export function liquidityOfAmount1(range: SqrtRange, amount: bigint): bigint {
  return (amount * Q64) / (range.upper - range.lower);
}
