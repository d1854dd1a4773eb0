/** 2100-01-01 UTC. */
const BEYOND = 4_102_444_800;

/** When a block was made, in Unix seconds, as somebody told it; null where they told nothing, or what no block of this century can have. */
export function blockTimeOf(told: number | null | undefined): number | null {
  if (told === null || told === undefined) return null;
  return Number.isSafeInteger(told) && told >= 0 && told < BEYOND ? told : null;
}
