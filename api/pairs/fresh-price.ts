import type { PairRecord } from '../../db/pairs.ts';
import type { PriceObservation } from '../../db/prices/prices.ts';
import { IS_SET_BY_HAND } from '../../domain/trading/spendable-price.ts';

/** Returns an exact decimal, or null. A price set by hand never expires, others by the pair's age. */
export function freshPrice(pair: PairRecord, observation: PriceObservation | undefined, now: Date): string | null {
  if (!observation) return null;
  const ageMs = now.getTime() - observation.observedAt.getTime();
  return IS_SET_BY_HAND[pair.priceSource] || ageMs <= pair.priceMaxAgeMs ? observation.usd : null;
}
