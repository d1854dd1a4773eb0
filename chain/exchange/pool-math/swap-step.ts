import { amount0Of, amount1Of, rangeBetween } from './amounts.ts';
import { divideUp, U64_MAX } from './integers.ts';

export const PPM = 1_000_000n;

export interface StepRequest {
  readonly sqrtPriceX64: bigint;
  readonly targetX64: bigint;
  readonly liquidity: bigint;
  /** Raw, to receive (`in`, with fee) or give (`out`). */
  readonly remaining: bigint;
  readonly feePpm: bigint;
  readonly exact: 'in' | 'out';
  readonly zeroForOne: boolean;
}

/** Amounts of a step, raw; `amountIn` without the fee. */
export interface StepResult {
  readonly sqrtPriceX64: bigint;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly fee: bigint;
}

/**
 * Moves as far towards the target as `remaining` allows. Rounds like Raydium's `swap_math`: input up, output down,
 * price against the trader; an exact input too small to move the price becomes fee. Null where the program fails: over
 * 64 bits, or over the liquidity.
 */
export function swapStep(request: StepRequest): StepResult | null {
  const { remaining, feePpm, exact, targetX64 } = request;
  const forPrice = exact === 'in' ? (remaining * (PPM - feePpm)) / PPM : remaining;
  const atTarget = amountsBetween(request, targetX64);
  const limit = exact === 'in' ? atTarget.amountIn : atTarget.amountOut;
  // The program computes in 64 bits: a target beyond is out of reach.
  const reached = forPrice >= limit && fits(atTarget);
  const sqrtPriceX64 = reached ? targetX64 : priceAfter(request, forPrice);
  if (sqrtPriceX64 === null || isBeyond(request, sqrtPriceX64)) return null;
  const moved = reached ? atTarget : amountsBetween(request, sqrtPriceX64);
  if (!fits(moved)) return null;
  const amountOut = exact === 'out' && moved.amountOut > remaining ? remaining : moved.amountOut;
  return { sqrtPriceX64, amountIn: moved.amountIn, amountOut, fee: feeOf(request, sqrtPriceX64, moved.amountIn) };
}

function fits({ amountIn, amountOut }: { amountIn: bigint; amountOut: bigint }): boolean {
  return amountIn <= U64_MAX && amountOut <= U64_MAX;
}

function isBeyond({ zeroForOne, targetX64 }: StepRequest, sqrtPriceX64: bigint): boolean {
  return zeroForOne ? sqrtPriceX64 < targetX64 : sqrtPriceX64 > targetX64;
}

function feeOf(request: StepRequest, sqrtPriceX64: bigint, amountIn: bigint): bigint {
  if (request.exact === 'in' && sqrtPriceX64 !== request.targetX64) return request.remaining - amountIn;
  return divideUp(amountIn * request.feePpm, PPM - request.feePpm);
}

function amountsBetween(request: StepRequest, toX64: bigint): { amountIn: bigint; amountOut: bigint } {
  const { sqrtPriceX64, liquidity, zeroForOne } = request;
  const range = rangeBetween(sqrtPriceX64, toX64);
  return zeroForOne
    ? { amountIn: amount0Of(range, liquidity, 'up'), amountOut: amount1Of(range, liquidity, 'down') }
    : { amountIn: amount1Of(range, liquidity, 'up'), amountOut: amount0Of(range, liquidity, 'down') };
}

function priceAfter(request: StepRequest, amount: bigint): bigint | null {
  const { sqrtPriceX64, liquidity, exact, zeroForOne } = request;
  if (amount === 0n) return sqrtPriceX64;
  const sign = exact === 'in' ? 1n : -1n;
  // In (zeroForOne, exact in) or out (oneForZero, exact out).
  return zeroForOne === (exact === 'in')
    ? priceAfterToken0(sqrtPriceX64, liquidity, sign * amount)
    : priceAfterToken1(sqrtPriceX64, liquidity, sign * amount);
}

/** Computes √P' = √P · L / (L + Δx · √P), rounded up; null beyond the liquidity. */
function priceAfterToken0(sqrtPriceX64: bigint, liquidity: bigint, delta: bigint): bigint | null {
  const numerator = liquidity << 64n;
  const denominator = numerator + delta * sqrtPriceX64;
  return denominator > 0n ? divideUp(numerator * sqrtPriceX64, denominator) : null;
}

/** Computes √P' = √P + Δy / L, rounded down. */
function priceAfterToken1(sqrtPriceX64: bigint, liquidity: bigint, delta: bigint): bigint {
  if (delta >= 0n) return sqrtPriceX64 + (delta << 64n) / liquidity;
  return sqrtPriceX64 - divideUp(-delta << 64n, liquidity);
}
