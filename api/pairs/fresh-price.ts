import type { PairRecord } from '../../db/pairs.ts';
import type { PriceObservation } from '../../db/prices/prices.ts';

/** Returns an exact decimal, or null. A price set by hand never expires, others by the pair's age. */
export function freshPrice(pair: PairRecord, observation: PriceObservation | undefined, now: Date): string | null {
  if (!observation) return null;
  const ageMs = now.getTime() - observation.observedAt.getTime();
  return pair.priceSource === 'fixed' || ageMs <= pair.priceMaxAgeMs ? observation.usd : null;
}
