import { Q64, wrappingAdd128 } from './integers.ts';
import { PPM, swapStep } from './swap-step.ts';
import { MAX_SQRT_PRICE_X64, MIN_SQRT_PRICE_X64, sqrtPriceAtTick, tickAtSqrtPrice } from './ticks.ts';

/** Crossing upwards adds `liquidityNet`; downwards subtracts it. */
export interface TickLiquidity {
  readonly tick: number;
  readonly liquidityNet: bigint;
}

/** A tick that positions begin or end at: a swap stops there even if they cancel each other. */
export interface InitialisedTick extends TickLiquidity {
  /** Liquidity of all positions that begin or end here. */
  readonly liquidityGross: bigint;
}

/** `feePpm` of the input; the others of that fee. */
export interface SwapRates {
  readonly feePpm: number;
  readonly protocolPpm: number;
  readonly fundPpm: number;
}

export interface SwapPool {
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  /** At the current tick. */
  readonly liquidity: bigint;
  /** Ascending. */
  readonly ticks: readonly TickLiquidity[];
}

/** Outcome in raw amounts, as the pool counts them, without tax. */
export interface SwapOutcome {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  readonly protocolFee: bigint;
  readonly fundFee: bigint;
  /** For the input token, per unit of liquidity, Q64.64. */
  readonly feeGrowthX64: bigint;
}

/** `tooSmall`: one side is zero. `tooLarge`: it is more than the liquidity, or than 64 bits hold. */
export type SwapRefusal = 'tooSmall' | 'tooLarge';

export type SwapResult = { readonly fill: 'filled'; readonly outcome: SwapOutcome } | { readonly fill: SwapRefusal };

/** `zeroForOne` sells token0. */
export interface SwapOrder {
  readonly zeroForOne: boolean;
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
  /** A price that ends the swap when it is reached, Q64.64; default: none. */
  readonly limitX64?: bigint;
}

interface Progress {
  readonly done: { -readonly [Key in keyof SwapOutcome]: SwapOutcome[Key] };
  remaining: bigint;
}

/** Runs Raydium's `swap_internal`. Not filled where the program fails. */
export function runSwap(pool: SwapPool, rates: SwapRates, order: SwapOrder): SwapResult {
  const progress = start(pool, order);
  const { done } = progress;
  while (progress.remaining > 0n && done.sqrtPriceX64 !== order.limitX64) {
    const next = nextTick(pool.ticks, done.tick, order.zeroForOne);
    if (!next) return { fill: 'tooLarge' };
    if (!advance(progress, next, rates, order) || isOutOfRange(done.sqrtPriceX64)) return { fill: 'tooLarge' };
  }
  return done.amountIn === 0n || done.amountOut === 0n ? { fill: 'tooSmall' } : { fill: 'filled', outcome: done };
}

function start({ sqrtPriceX64, tick, liquidity }: SwapPool, order: SwapOrder): Progress {
  const nothing = { amountIn: 0n, amountOut: 0n, protocolFee: 0n, fundFee: 0n, feeGrowthX64: 0n };
  return { done: { sqrtPriceX64, tick, liquidity, ...nothing }, remaining: order.amount };
}

function nextTick(ticks: readonly TickLiquidity[], tick: number, zeroForOne: boolean): TickLiquidity | undefined {
  return zeroForOne ? ticks.findLast((each) => each.tick <= tick) : ticks.find((each) => each.tick > tick);
}

function isOutOfRange(sqrtPriceX64: bigint): boolean {
  return sqrtPriceX64 <= MIN_SQRT_PRICE_X64 || sqrtPriceX64 >= MAX_SQRT_PRICE_X64;
}

function advance(progress: Progress, next: TickLiquidity, rates: SwapRates, order: SwapOrder): boolean {
  const { done } = progress;
  const tickPriceX64 = sqrtPriceAtTick(next.tick);
  const before = done.sqrtPriceX64;
  const targetX64 = nearerOf(tickPriceX64, order);
  if (before !== targetX64 && !moveTowards(progress, targetX64, rates, order)) return false;
  if (done.sqrtPriceX64 === tickPriceX64) {
    done.liquidity += order.zeroForOne ? -next.liquidityNet : next.liquidityNet;
    done.tick = order.zeroForOne ? next.tick - 1 : next.tick;
  } else if (done.sqrtPriceX64 !== before) {
    // Only if the price moved: on a boundary crossed downwards the tick is one below the price's.
    done.tick = tickAtSqrtPrice(done.sqrtPriceX64);
  }
  return true;
}

function nearerOf(tickPriceX64: bigint, { limitX64 = tickPriceX64, zeroForOne }: SwapOrder): bigint {
  return zeroForOne === limitX64 > tickPriceX64 ? limitX64 : tickPriceX64;
}

function moveTowards(progress: Progress, targetX64: bigint, rates: SwapRates, order: SwapOrder): boolean {
  const { done, remaining } = progress;
  const { sqrtPriceX64, liquidity } = done;
  const step = swapStep({ sqrtPriceX64, targetX64, liquidity, remaining, feePpm: BigInt(rates.feePpm), ...order });
  if (!step) return false;
  done.sqrtPriceX64 = step.sqrtPriceX64;
  done.amountIn += step.amountIn + step.fee;
  done.amountOut += step.amountOut;
  progress.remaining -= order.exact === 'in' ? step.amountIn + step.fee : step.amountOut;
  splitFee(done, step.fee, rates);
  return true;
}

/**
 * Splits a fee: protocol and fund shares round down, positions take the rest; without liquidity the protocol takes it.
 */
function splitFee(done: Progress['done'], fee: bigint, rates: SwapRates): void {
  const protocol = (fee * BigInt(rates.protocolPpm)) / PPM;
  const fund = (fee * BigInt(rates.fundPpm)) / PPM;
  const positions = fee - protocol - fund;
  done.protocolFee += protocol;
  done.fundFee += fund;
  if (done.liquidity === 0n) done.protocolFee += positions;
  else done.feeGrowthX64 = wrappingAdd128(done.feeGrowthX64, (positions * Q64) / done.liquidity);
}
