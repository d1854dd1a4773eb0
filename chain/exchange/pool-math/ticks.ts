import { Q64, U128_MASK } from './integers.ts';

/** Raydium's `tick_math`: prices 1.0001^±443636. */
export const MIN_TICK = -443_636;
export const MAX_TICK = 443_636;

/** 2^64 / sqrt(1.0001)^(2^i), i = 0 … 18. Rounded by hand in the program, so they cannot be computed. */
const INVERSE_ROOTS_X64 = [
  0xfffcb933bd6fb800n,
  0xfff97272373d4000n,
  0xfff2e50f5f657000n,
  0xffe5caca7e10f000n,
  0xffcb9843d60f7000n,
  0xff973b41fa98e800n,
  0xff2ea16466c9b000n,
  0xfe5dee046a9a3800n,
  0xfcbe86c7900bb000n,
  0xf987a7253ac65800n,
  0xf3392b0822bb6000n,
  0xe7159475a2caf000n,
  0xd097f3bdfd2f2000n,
  0xa9f746462d9f8000n,
  0x70d869a156f31c00n,
  0x31be135f97ed3200n,
  0x09aa508b5b85a500n,
  0x005d6af8dedc582cn,
  0x00002216e584f5fan,
] as const;

/** Q64.64 of 1.0001^(tick / 2), as the program rounds. Throws a RangeError out of range. */
export function sqrtPriceAtTick(tick: number): bigint {
  if (!Number.isInteger(tick) || tick < MIN_TICK || tick > MAX_TICK) {
    throw new RangeError(`tick ${tick} is not an integer within ±${MAX_TICK}`);
  }
  const distance = Math.abs(tick);
  let ratio = Q64;
  for (const [bit, root] of INVERSE_ROOTS_X64.entries()) {
    if (distance & (1 << bit)) ratio = (ratio * root) >> 64n;
  }
  return tick > 0 ? U128_MASK / ratio : ratio;
}

export const MIN_SQRT_PRICE_X64 = sqrtPriceAtTick(MIN_TICK);
export const MAX_SQRT_PRICE_X64 = sqrtPriceAtTick(MAX_TICK);

/** Largest tick at or below the price. Throws a RangeError out of range. */
export function tickAtSqrtPrice(sqrtPriceX64: bigint): number {
  if (sqrtPriceX64 < MIN_SQRT_PRICE_X64 || sqrtPriceX64 >= MAX_SQRT_PRICE_X64) {
    throw new RangeError(`square-root price ${sqrtPriceX64} is outside the exchange's range`);
  }
  let below = MIN_TICK;
  let above = MAX_TICK;
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (sqrtPriceAtTick(middle) <= sqrtPriceX64) below = middle;
    else above = middle;
  }
  return below;
}
