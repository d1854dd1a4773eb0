/** What an owner held at one observation, raw units, by address (base58). */
export type Balances = ReadonlyMap<string, bigint>;

/** What each owner held at every one of several observations: the least of them; who was absent from one held nothing. */
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
