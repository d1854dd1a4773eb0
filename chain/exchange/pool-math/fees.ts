import { Q64, wrappingSubtract128 } from './integers.ts';

/** Computes owed + floor(((inside − insideLast) mod 2^128) · L / 2^64), as the program pays. */
export function claimableFees(owed: bigint, insideX64: bigint, insideLastX64: bigint, liquidity: bigint): bigint {
  return owed + (wrappingSubtract128(insideX64, insideLastX64) * liquidity) / Q64;
}
