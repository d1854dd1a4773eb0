export interface Bounds {
  /** If the source has less or fails. */
  readonly least: bigint;
  readonly most: bigint;
}

/** Picks by nearest rank; 0 for none. */
export function atPercentile(values: readonly bigint[], percent: number): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const rank = Math.ceil((sorted.length * percent) / 100);
  return sorted[Math.max(rank, 1) - 1] ?? 0n;
}

export function within({ least, most }: Bounds, value: bigint): bigint {
  if (value < least) return least;
  return value > most ? most : value;
}
