import { pricesOfPairs } from '../../db/prices/prices-at.ts';
import { observedPrices } from '../trading/observed-price.ts';
import type { MarketDeps } from './deps.ts';

/** USD prices of quote tokens, for one look. */
export interface QuotePrices {
  /** USD per whole token now; null where no fresh price is known. */
  present(quoteMint: string): Promise<string | null>;
  /** Asks for the present prices of these at once. */
  ask(quoteMints: readonly string[]): Promise<void>;
  /** USD per whole token at these moments, in their order; null where none of that time is known. */
  at(wanted: readonly QuoteMoment[]): Promise<(string | null)[]>;
}

/** A moment at which the price of a quote token is wanted. */
export interface QuoteMoment {
  readonly quoteMint: string;
  readonly at: Date;
}

/** Each token's price is asked for once and written down. */
export function createQuotePrices(deps: Pick<MarketDeps, 'db' | 'prices' | 'logger'>): QuotePrices {
  const asked = new Map<string, Promise<string | null>>();
  const ask = async (mints: readonly string[]): Promise<void> => {
    const missing = [...new Set(mints)].filter((mint) => !asked.has(mint));
    if (missing.length > 0) {
      const found = observedPrices(deps, missing);
      for (const mint of missing) {
        const usd = found.then((prices) => prices.get(mint)?.usd ?? null);
        // Whoever waits for the price hears of it.
        usd.catch(() => undefined);
        asked.set(mint, usd);
      }
    }
    await Promise.all(mints.flatMap((mint) => asked.get(mint) ?? []));
  };
  return {
    ask,
    async present(mint) {
      await ask([mint]);
      return (await asked.get(mint)) ?? null;
    },
    async at(wanted) {
      await ask(wanted.map(({ quoteMint }) => quoteMint));
      return pricesOfPairs(
        deps.db,
        wanted.map(({ quoteMint, at }) => ({ mint: quoteMint, at })),
      );
    },
  };
}
