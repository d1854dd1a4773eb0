import type { Db } from '../connect.ts';
import * as pairs from '../pairs.ts';
import type { PairRecord } from '../pairs.ts';
import * as prices from './prices.ts';

/** What prices are looked up with: where each comes from, and those that were set by hand. */
export interface PriceLookups {
  readonly pairOf: (mint: string) => Promise<PairRecord | null>;
  /** In USD per whole token; null where none is set. */
  readonly fixedUsdOf: (mint: string) => Promise<string | null>;
}

/** Look-ups among the listed pairs and the observed prices. */
export function createPriceLookups(db: Db): PriceLookups {
  return {
    pairOf: (mint) => pairs.byMint(db, mint),
    fixedUsdOf: async (mint) => {
      const price = await prices.latest(db, mint);
      return price?.source === 'fixed' ? price.usd : null;
    },
  };
}
