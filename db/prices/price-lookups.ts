import type { Db } from '../connect.ts';
import * as pairs from '../pairs.ts';
import type { PairRecord } from '../pairs.ts';
import { united } from '../united.ts';
import * as prices from './prices.ts';

/** What prices are looked up with: where each comes from, and those that were set by hand. */
export interface PriceLookups {
  readonly pairOf: (mint: string) => Promise<PairRecord | null>;
  /** In USD per whole token; null where none is set. */
  readonly fixedUsdOf: (mint: string) => Promise<string | null>;
}

/** Look-ups among the listed pairs and the observed prices: one statement for all that are asked for at once. */
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
