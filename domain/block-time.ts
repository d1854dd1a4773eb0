/** 2100-01-01 UTC. */
const BEYOND = 4_102_444_800;

/** Returns Unix seconds; null when missing or outside of this century. */
export function blockTimeOf(told: number | null | undefined): number | null {
  if (told === null || told === undefined) return null;
  return Number.isSafeInteger(told) && told >= 0 && told < BEYOND ? told : null;
}
