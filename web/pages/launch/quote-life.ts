/** How long a quote's payment can land, in ms: the platform says when that ends by its own clock. */
const LIFETIME_MS = 60_000;
/** Submit refuses a quote in whose last blocks a bundle would not land any more; ms. */
const RESERVE_MS = 16_000;
/** Clocks of people are off by less than that, or by minutes; ms. */
const TOLERANCE_MS = 5_000;

/**
 * Until when a quote that arrived now may be signed, by this machine's clock, in ms. A clock that would have it dead on arrival, or
 * living longer than any quote does, is wrong: then its life is counted from now.
 */
export function signableUntil(expiresAt: string, now: number): number {
  const left = Date.parse(expiresAt) - now;
  const isPlausible = left > 0 && left <= LIFETIME_MS + TOLERANCE_MS;
  return now + (isPlausible ? left : LIFETIME_MS) - RESERVE_MS;
}
