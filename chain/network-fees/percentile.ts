/** Between what bounds a live figure is followed. */
export interface Bounds {
  /** Taken where the source says less, or cannot be asked. */
  readonly least: bigint;
  readonly most: bigint;
}

/** The smallest value that so many percent of the values do not exceed (nearest rank); 0 where there are none. */
export function atPercentile(values: readonly bigint[], percent: number): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const rank = Math.ceil((sorted.length * percent) / 100);
  return sorted[Math.max(rank, 1) - 1] ?? 0n;
}

/** A value held between two bounds. */
export function within({ least, most }: Bounds, value: bigint): bigint {
  if (value < least) return least;
  return value > most ? most : value;
}
