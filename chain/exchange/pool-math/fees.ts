import { Q64, wrappingSubtract128 } from './integers.ts';

/**
 * Uncollected fees of a position in one token, raw units: owed + floor(((inside − insideLast) mod 2^128) · L / 2^64).
 * Equal to what the real program pays out, to the unit.
 */
export function claimableFees(owed: bigint, insideX64: bigint, insideLastX64: bigint, liquidity: bigint): bigint {
  return owed + (wrappingSubtract128(insideX64, insideLastX64) * liquidity) / Q64;
}
