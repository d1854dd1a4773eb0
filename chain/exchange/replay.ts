import type { LiquidityChange } from './exchange.ts';
import {
  type InitialisedTick,
  runSwap,
  type SwapOrder,
  type SwapPool,
  type SwapRates,
  wrappingAdd128,
} from './pool-math.ts';

/** The part of a pool that swaps and liquidity changes move. `feeGrowth0X64` and `feeGrowth1X64` wrap at 128 bits. */
export interface ReplayedPool extends SwapPool {
  readonly feeGrowth0X64: bigint;
  readonly feeGrowth1X64: bigint;
  readonly ticks: readonly InitialisedTick[];
}

/** A swap as the pool counts it, raw amounts. */
export interface ReplayedSwap {
  readonly zeroForOne: boolean;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** True for the price right after the swap. */
  readonly isPrice: (sqrtPriceX64: bigint) => boolean;
  /** About that price: swaps may end at a limit. */
  readonly aboutX64: bigint;
}

/**
 * Repeats a landed swap with the program's arithmetic. Null if no order on this state takes and gives these amounts and
 * leaves this price: then the state before it, or the swap, is not what it is said to be.
 */
export function replaySwap(pool: ReplayedPool, rates: SwapRates, swap: ReplayedSwap): ReplayedPool | null {
  for (const order of ordersOf(swap)) {
    const result = runSwap(pool, rates, order);
    if (result.fill !== 'filled') continue;
    const { amountIn, amountOut, sqrtPriceX64, tick, liquidity, feeGrowthX64 } = result.outcome;
    if (amountIn !== swap.amountIn || amountOut !== swap.amountOut || !swap.isPrice(sqrtPriceX64)) continue;
    const side = swap.zeroForOne ? 'feeGrowth0X64' : 'feeGrowth1X64';
    return { ...pool, sqrtPriceX64, tick, liquidity, [side]: wrappingAdd128(pool[side], feeGrowthX64) };
  }
  return null;
}

/** The transaction's amounts do not say which of them was ordered, or whether a limit ended the swap. */
function ordersOf({ zeroForOne, amountIn, amountOut, aboutX64: limitX64 }: ReplayedSwap): SwapOrder[] {
  return [
    { zeroForOne, exact: 'in', amount: amountIn },
    { zeroForOne, exact: 'out', amount: amountOut },
    { zeroForOne, exact: 'in', amount: amountIn + 1n, limitX64 },
    { zeroForOne, exact: 'out', amount: amountOut + 1n, limitX64 },
  ];
}

/** A tick that no position uses any more stops no swap. */
export function replayLiquidity(pool: ReplayedPool, change: LiquidityChange): ReplayedPool {
  const { tickLower, tickUpper, delta } = change;
  const isActive = tickLower <= pool.tick && pool.tick < tickUpper;
  const ticks = withTick(withTick(pool.ticks, tickLower, delta, delta), tickUpper, -delta, delta);
  return { ...pool, ticks, liquidity: pool.liquidity + (isActive ? delta : 0n) };
}

function withTick(ticks: readonly InitialisedTick[], tick: number, net: bigint, gross: bigint): InitialisedTick[] {
  const known = ticks.find((each) => each.tick === tick) ?? { tick, liquidityNet: 0n, liquidityGross: 0n };
  const changed = {
    tick,
    liquidityNet: known.liquidityNet + net,
    liquidityGross: known.liquidityGross + gross,
  };
  const others = ticks.filter((each) => each.tick !== tick);
  return (changed.liquidityGross > 0n ? [...others, changed] : others).toSorted((a, b) => a.tick - b.tick);
}
