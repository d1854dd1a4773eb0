import { BigNumber } from 'bignumber.js';

/** USD price of one whole token at a moment. */
export interface SeenPrice {
  /** Exact decimal string. */
  readonly usd: string;
  readonly observedAt: Date;
}

/** Observations of so long ago still count, ms. */
export const STEADY_WINDOW_MS = 4 * 60 * 60 * 1_000;

/** Of all observations within such a stretch of time the first counts: who trades much at once does not count more. */
const STRETCH_MS = 5 * 60 * 1_000;

/** From so many stretches of time a price must be known. */
const LEAST_STRETCHES = 3;

/**
 * Why nothing may be spent by a price; undefined where it is steady: seen in several stretches of time, and within
 * `maxDeviationBps` of their median. A market that somebody moves for a moment is not steady.
 */
export function unsteadyReason(
  present: SeenPrice,
  seen: readonly SeenPrice[],
  maxDeviationBps: number,
): string | undefined {
  const counted = firstOfEachStretch([...seen, present]);
  if (counted.length < LEAST_STRETCHES) {
    return `it was seen in ${counted.length} of ${LEAST_STRETCHES} stretches of ${STRETCH_MS / 60_000} minutes`;
  }
  const median = medianOf(counted);
  const apart = new BigNumber(present.usd).minus(median).abs();
  if (apart.times(10_000).lte(median.times(maxDeviationBps))) return undefined;
  return `it is ${present.usd} USD and was ${median.toFixed()} USD in the middle, more than ${maxDeviationBps} bps away`;
}

function firstOfEachStretch(prices: readonly SeenPrice[]): BigNumber[] {
  const firsts = new Map<number, SeenPrice>();
  for (const price of prices.toSorted((a, b) => a.observedAt.getTime() - b.observedAt.getTime())) {
    const stretch = Math.floor(price.observedAt.getTime() / STRETCH_MS);
    if (!firsts.has(stretch)) firsts.set(stretch, price);
  }
  return [...firsts.values()].map(({ usd }) => new BigNumber(usd));
}

/** The lower one of two in the middle. */
function medianOf(values: readonly BigNumber[]): BigNumber {
  const sorted = values.toSorted((a, b) => a.comparedTo(b) ?? 0);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? new BigNumber(0);
}
