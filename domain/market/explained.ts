/** A tick that positions begin or end at. */
export interface ProvenTick {
  readonly tick: number;
  /** Change of the active liquidity where a price crosses it upwards. */
  readonly liquidityNet: bigint;
  /** Of all positions that begin or end here. */
  readonly liquidityGross: bigint;
}

/**
 * Counters that only a trade of the pool moves, and always to a new value: fees per unit of liquidity, Q64.64, which
 * wrap at 128 bits. Deposits, withdrawals, collections of fees and gifts leave them as they are.
 */
export interface PoolCounters {
  readonly feeGrowth0X64: bigint;
  readonly feeGrowth1X64: bigint;
}

/** The part of a pool that trades move, and the liquidity that decides how far. Ticks ascend. */
export interface ProvenState extends PoolCounters {
  /** Square root of token1 per token0, Q64.64. */
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  /** At that tick. */
  readonly liquidity: bigint;
  readonly ticks: readonly ProvenTick[];
}

/**
 * How many of the known trades led to the counters of `final`: exactly these, to the raw unit. Null if none do: then a
 * trade is missing, or one is invented. Balances and prices prove nothing, since trades may lead there and back.
 * @param along counters before the first known trade, and after each
 * @param least trades that are known to be final
 */
export function explainedBy(along: readonly PoolCounters[], final: PoolCounters, least: number): number | null {
  const count = along.findIndex(
    ({ feeGrowth0X64, feeGrowth1X64 }, trades) =>
      trades >= least && feeGrowth0X64 === final.feeGrowth0X64 && feeGrowth1X64 === final.feeGrowth1X64,
  );
  return count < 0 ? null : count;
}

/** True if also the prices and all liquidity are the same. */
export function isSameState(one: ProvenState, other: ProvenState): boolean {
  const ticksOf = ({ ticks }: ProvenState) =>
    ticks.map((one) => [one.tick, one.liquidityNet, one.liquidityGross].join()).join(';');
  return (
    explainedBy([one], other, 0) === 0 &&
    one.sqrtPriceX64 === other.sqrtPriceX64 &&
    one.liquidity === other.liquidity &&
    ticksOf(one) === ticksOf(other)
  );
}
