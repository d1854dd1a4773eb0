/** 2^64, the one of Q64.64 fixed-point numbers. */
export const Q64 = 1n << 64n;
export const U64_MAX = Q64 - 1n;
export const U128_MASK = (1n << 128n) - 1n;

/** a / b rounded up, for a >= 0 and b > 0. */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/** The greatest integer whose square is at most `value` (Newton's method). Throws a RangeError on a negative value. */
export function integerSquareRoot(value: bigint): bigint {
  if (value < 0n) throw new RangeError(`no square root of ${value}`);
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** a - b as an unsigned 128-bit number that wraps around. */
export function wrappingSubtract128(a: bigint, b: bigint): bigint {
  return (a - b) & U128_MASK;
}

/** a + b as an unsigned 128-bit number that wraps around. */
export function wrappingAdd128(a: bigint, b: bigint): bigint {
  return (a + b) & U128_MASK;
}
