export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Interpolated (type 7 of Hyndman and Fan).
 *
 * @throws RangeError for no values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) throw new RangeError('an empty sample has no quantile');
  return below + (above - below) * (place - Math.floor(place));
}

/** @throws RangeError for no values */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @throws RangeError for no values */
export function spreadOf(values: readonly number[]): Spread {
  return { p50: median(values), p99: quantile(values, 0.99), min: quantile(values, 0), max: quantile(values, 1) };
}
