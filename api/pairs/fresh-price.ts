import type { PairRecord } from '../../db/pairs.ts';
import type { PriceObservation } from '../../db/prices/prices.ts';

/**
 * The price of one quote token in USD as an exact decimal string, or null. A price set by hand holds until it is set anew; any
 * other is no price once it is older than its pair allows.
 */
export function freshPrice(pair: PairRecord, observation: PriceObservation | undefined, now: Date): string | null {
  if (!observation) return null;
  const ageMs = now.getTime() - observation.observedAt.getTime();
  return pair.priceSource === 'fixed' || ageMs <= pair.priceMaxAgeMs ? observation.usd : null;
}
