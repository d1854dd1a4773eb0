/** Balances at one observation, by address (base58). */
export type Balances = ReadonlyMap<string, bigint>;

/** Returns each owner's least balance. An owner absent from one observation is left out. */
export function leastBalances(observations: readonly Balances[]): Map<string, bigint> {
  const [first, ...others] = observations;
  const least = new Map<string, bigint>();
  for (const [owner, raw] of first ?? []) {
    const minimum = others.reduce((lowest, balances) => smaller(lowest, balances.get(owner) ?? 0n), raw);
    if (minimum > 0n) least.set(owner, minimum);
  }
  return least;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
