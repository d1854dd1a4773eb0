import * as pairs from '../../db/pairs.ts';
import type { PairRecord } from '../../db/pairs.ts';
import { pricesOfMany } from '../../db/prices/prices-at.ts';
import { observedPriceIfAny } from '../trading/observed-price.ts';
import type { MarketDeps } from './deps.ts';

/** USD prices of quote tokens, for one look. */
export interface QuotePrices {
  /** USD per whole token now; null where no fresh price is known. */
  present(quoteMint: string): Promise<string | null>;
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
  const present = (mint: string): Promise<string | null> => {
    const answer = asked.get(mint) ?? observedPriceIfAny(deps, mint).then((price) => price?.usd ?? null);
    asked.set(mint, answer);
    return answer;
  };
  const found = new Map<string, Promise<PairRecord | null>>();
  const pairOf = async (mint: string): Promise<PairRecord | null> => {
    const answer = found.get(mint) ?? pairs.byMint(deps.db, mint);
    found.set(mint, answer);
    const pair = await answer;
    if (pair) await present(mint);
    return pair;
  };
  return {
    present,
    async at(wanted) {
      const known = await Promise.all(wanted.map(({ quoteMint }) => pairOf(quoteMint)));
      const priced = wanted.flatMap(({ quoteMint, at }, index) => {
        const pair = known[index];
        return pair ? [{ ...pair, mint: quoteMint, at }] : [];
      });
      const usd = (await pricesOfMany(deps.db, priced)).values();
      return known.map((pair) => (pair ? (usd.next().value ?? null) : null));
    },
  };
}
