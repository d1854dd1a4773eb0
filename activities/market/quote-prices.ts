import * as pairs from '../../db/pairs.ts';
import { pricesAt } from '../../db/prices/prices-at.ts';
import { observedPriceIfAny } from '../trading/observed-price.ts';
import type { MarketDeps } from './deps.ts';

/** USD prices of quote tokens, for one look. */
export interface QuotePrices {
  /** USD per whole token now; null where no fresh price is known. */
  present(quoteMint: string): Promise<string | null>;
  /** USD per whole token at these moments, in their order; null where none of that time is known. */
  at(quoteMint: string, times: readonly Date[]): Promise<(string | null)[]>;
}

/** Each token's price is asked for once and written down. */
export function createQuotePrices(deps: Pick<MarketDeps, 'db' | 'prices' | 'logger'>): QuotePrices {
  const asked = new Map<string, Promise<string | null>>();
  const present = (mint: string): Promise<string | null> => {
    const answer = asked.get(mint) ?? observedPriceIfAny(deps, mint).then((price) => price?.usd ?? null);
    asked.set(mint, answer);
    return answer;
  };
  return {
    present,
    async at(mint, times) {
      const pair = await pairs.byMint(deps.db, mint);
      if (!pair) return times.map(() => null);
      await present(mint);
      return pricesAt(deps.db, mint, times, pair);
    },
  };
}
