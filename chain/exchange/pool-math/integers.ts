/** One in Q64.64. */
export const Q64 = 1n << 64n;
export const U64_MAX = Q64 - 1n;
export const U128_MASK = (1n << 128n) - 1n;

/** Requires a >= 0 and b > 0. */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/** Rounds down, by Newton's method. Throws a RangeError if negative. */
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

export function wrappingSubtract128(a: bigint, b: bigint): bigint {
  return (a - b) & U128_MASK;
}

export function wrappingAdd128(a: bigint, b: bigint): bigint {
  return (a + b) & U128_MASK;
}
