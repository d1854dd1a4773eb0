import { Q64, wrappingAdd128 } from './integers.ts';
import { PPM, swapStep } from './swap-step.ts';
import { MAX_SQRT_PRICE_X64, MIN_SQRT_PRICE_X64, sqrtPriceAtTick, tickAtSqrtPrice } from './ticks.ts';

/** An initialised tick: crossing it upwards adds `liquidityNet` to the active liquidity, downwards subtracts it. */
export interface TickLiquidity {
  readonly tick: number;
  readonly liquidityNet: bigint;
}

/** The rates that a swap obeys, in ppm: of the input, and of that fee. */
export interface SwapRates {
  readonly feePpm: number;
  readonly protocolPpm: number;
  readonly fundPpm: number;
}

/** A pool's price and the liquidity that is active at it. */
export interface SwapPool {
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  /** Liquidity active at the present tick. */
  readonly liquidity: bigint;
  /** All initialised ticks, ascending. */
  readonly ticks: readonly TickLiquidity[];
}

/** What a swap does to a pool; amounts in raw units as the pool counts them, that is without any transfer tax. */
export interface SwapOutcome {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  readonly protocolFee: bigint;
  readonly fundFee: bigint;
  /** Growth of the input token's fees per unit of liquidity, Q64.64. */
  readonly feeGrowthX64: bigint;
}

/** A swap's fixed side. `zeroForOne` sells token0 for token1. */
export interface SwapOrder {
  readonly zeroForOne: boolean;
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
}

/** A swap under way: what it did so far, and what of the fixed side is still to go. */
interface Progress {
  readonly done: { -readonly [Key in keyof SwapOutcome]: SwapOutcome[Key] };
  remaining: bigint;
}

/**
 * Runs a swap without a price limit, tick by tick, as Raydium CLMM's `swap_internal` does. Returns null where the
 * program fails: the liquidity ends before the order is filled, or one side of the swap is zero.
 */
export function runSwap(pool: SwapPool, rates: SwapRates, order: SwapOrder): SwapOutcome | null {
  const progress = start(pool, order);
  const { done } = progress;
  while (progress.remaining > 0n) {
    const next = nextTick(pool.ticks, done.tick, order.zeroForOne);
    if (!next) return null;
    if (!advance(progress, next, rates, order) || isOutOfRange(done.sqrtPriceX64)) return null;
  }
  return done.amountIn === 0n || done.amountOut === 0n ? null : done;
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

/** One stretch up to the next initialised tick, and across it where it is reached; false where that cannot be. */
function advance(progress: Progress, next: TickLiquidity, rates: SwapRates, order: SwapOrder): boolean {
  const { done } = progress;
  const targetX64 = sqrtPriceAtTick(next.tick);
  const before = done.sqrtPriceX64;
  if (before !== targetX64 && !moveTowards(progress, targetX64, rates, order)) return false;
  if (done.sqrtPriceX64 === targetX64) {
    done.liquidity += order.zeroForOne ? -next.liquidityNet : next.liquidityNet;
    done.tick = order.zeroForOne ? next.tick - 1 : next.tick;
  } else if (done.sqrtPriceX64 !== before) {
    // Only where the price moved: on a boundary crossed downwards the tick is one less than the price says.
    done.tick = tickAtSqrtPrice(done.sqrtPriceX64);
  }
  return true;
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

/** Protocol and fund take their rounded-down shares, the positions the rest; without liquidity the protocol takes it. */
function splitFee(done: Progress['done'], fee: bigint, rates: SwapRates): void {
  const protocol = (fee * BigInt(rates.protocolPpm)) / PPM;
  const fund = (fee * BigInt(rates.fundPpm)) / PPM;
  const positions = fee - protocol - fund;
  done.protocolFee += protocol;
  done.fundFee += fund;
  if (done.liquidity === 0n) done.protocolFee += positions;
  else done.feeGrowthX64 = wrappingAdd128(done.feeGrowthX64, (positions * Q64) / done.liquidity);
}
