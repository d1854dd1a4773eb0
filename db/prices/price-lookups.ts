import type { Db } from '../connect.ts';
import * as pairs from '../pairs.ts';
import type { PairRecord } from '../pairs.ts';
import { united } from '../united.ts';
import * as prices from './prices.ts';

export interface PriceLookups {
  readonly pairOf: (mint: string) => Promise<PairRecord | null>;
  /** USD per whole token; null if none is set. */
  readonly fixedUsdOf: (mint: string) => Promise<string | null>;
}

/** Creates lookups; concurrent ones share one statement. */
export function createPriceLookups(db: Db): PriceLookups {
  const latestOf = united((mints) => prices.latestOf(db, mints));
  return {
    pairOf: united((mints) => pairs.byMints(db, mints)),
    fixedUsdOf: async (mint) => {
      const price = await latestOf(mint);
      return price?.source === 'fixed' ? price.usd : null;
    },
  };
}
