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

type Progress = { -readonly [Key in keyof SwapOutcome]: SwapOutcome[Key] } & { remaining: bigint };

/**
 * Runs a swap without a price limit, tick by tick, as Raydium CLMM's `swap_internal` does. Returns null where the
 * program fails: the liquidity ends before the order is filled, or one side of the swap is zero.
 */
export function runSwap(pool: SwapPool, rates: SwapRates, order: SwapOrder): SwapOutcome | null {
  const progress = start(pool, order);
  while (progress.remaining > 0n) {
    const next = nextTick(pool.ticks, progress.tick, order.zeroForOne);
    if (!next) return null;
    advance(progress, next, rates, order);
    if (isOutOfRange(progress.sqrtPriceX64)) return null;
  }
  if (progress.amountIn === 0n || progress.amountOut === 0n) return null;
  const { remaining: _, ...outcome } = progress;
  return outcome;
}

function start(pool: SwapPool, order: SwapOrder): Progress {
  return {
    amountIn: 0n,
    amountOut: 0n,
    sqrtPriceX64: pool.sqrtPriceX64,
    tick: pool.tick,
    liquidity: pool.liquidity,
    protocolFee: 0n,
    fundFee: 0n,
    feeGrowthX64: 0n,
    remaining: order.amount,
  };
}

function nextTick(ticks: readonly TickLiquidity[], tick: number, zeroForOne: boolean): TickLiquidity | undefined {
  return zeroForOne ? ticks.findLast((each) => each.tick <= tick) : ticks.find((each) => each.tick > tick);
}

function isOutOfRange(sqrtPriceX64: bigint): boolean {
  return sqrtPriceX64 <= MIN_SQRT_PRICE_X64 || sqrtPriceX64 >= MAX_SQRT_PRICE_X64;
}

/** One stretch up to the next initialised tick, and across it where it is reached. */
function advance(progress: Progress, next: TickLiquidity, rates: SwapRates, order: SwapOrder): void {
  const targetX64 = sqrtPriceAtTick(next.tick);
  const before = progress.sqrtPriceX64;
  if (before !== targetX64) moveTowards(progress, targetX64, rates, order);
  if (progress.sqrtPriceX64 === targetX64) {
    progress.liquidity += order.zeroForOne ? -next.liquidityNet : next.liquidityNet;
    progress.tick = order.zeroForOne ? next.tick - 1 : next.tick;
  } else if (progress.sqrtPriceX64 !== before) {
    // Only where the price moved: on a boundary crossed downwards the tick is one less than the price says.
    progress.tick = tickAtSqrtPrice(progress.sqrtPriceX64);
  }
}

function moveTowards(progress: Progress, targetX64: bigint, rates: SwapRates, order: SwapOrder): void {
  const { sqrtPriceX64, liquidity, remaining } = progress;
  const step = swapStep({ sqrtPriceX64, targetX64, liquidity, remaining, feePpm: BigInt(rates.feePpm), ...order });
  progress.sqrtPriceX64 = step.sqrtPriceX64;
  progress.amountIn += step.amountIn + step.fee;
  progress.amountOut += step.amountOut;
  progress.remaining -= order.exact === 'in' ? step.amountIn + step.fee : step.amountOut;
  splitFee(progress, step.fee, rates);
}

/** Protocol and fund take their rounded-down shares, the positions the rest; without liquidity the protocol takes it. */
function splitFee(progress: Progress, fee: bigint, rates: SwapRates): void {
  const protocol = (fee * BigInt(rates.protocolPpm)) / PPM;
  const fund = (fee * BigInt(rates.fundPpm)) / PPM;
  const positions = fee - protocol - fund;
  progress.protocolFee += protocol;
  progress.fundFee += fund;
  if (progress.liquidity === 0n) progress.protocolFee += positions;
  else progress.feeGrowthX64 = wrappingAdd128(progress.feeGrowthX64, (positions * Q64) / progress.liquidity);
}
