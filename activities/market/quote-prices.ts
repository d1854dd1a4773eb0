import { pricesOfPairs } from '../../db/prices/prices-at.ts';
import { type ObservationKind, observedPrices } from '../trading/observed-price.ts';
import type { MarketDeps } from './deps.ts';

export interface QuotePrices {
  /** USD per whole token; null without a fresh price. */
  present(quoteMint: string): Promise<string | null>;
  ask(quoteMints: readonly string[]): Promise<void>;
  /** USD per whole token, in order. */
  at(wanted: readonly QuoteMoment[]): Promise<(string | null)[]>;
}

export interface QuoteMoment {
  readonly quoteMint: string;
  readonly at: Date;
}

/** @param kind `samples` only where the worker alone chooses the moment */
export function createQuotePrices(
  deps: Pick<MarketDeps, 'db' | 'prices' | 'now' | 'logger'>,
  kind: ObservationKind = 'notes',
): QuotePrices {
  const asked = new Map<string, Promise<string | null>>();
  const ask = async (mints: readonly string[]): Promise<void> => {
    const missing = [...new Set(mints)].filter((mint) => !asked.has(mint));
    if (missing.length > 0) {
      const found = observedPrices(deps, missing, kind);
      for (const mint of missing) {
        const usd = found.then((prices) => prices.get(mint)?.usd ?? null);
        // Callers that await the price get the error.
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
