import type { UsdPrice } from '../../chain/prices/price-source.ts';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../domain/errors.ts';
import * as pairs from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import { pricesAt } from '../../db/prices/prices-at.ts';
import type { MarketDeps } from './deps.ts';

/** USD prices of quote tokens, for one look. */
export interface QuotePrices {
  /** USD per whole token now; null where no fresh price is known. */
  present(quoteMint: string): Promise<string | null>;
  /** USD per whole token at these moments, in their order; null where none of that time is known. */
  at(quoteMint: string, times: readonly Date[]): Promise<(string | null)[]>;
}

/** Prices of a token are written down no closer than this, ms. */
const OBSERVE_EVERY_MS = 5_000;

/**
 * Each token's price is asked for once and written down, so that what was worth how much can be computed again. A price that
 * an operator set is written down already; to write it again could undo a newer one.
 */
export function createQuotePrices(deps: Pick<MarketDeps, 'db' | 'prices' | 'logger'>): QuotePrices {
  const asked = new Map<string, Promise<string | null>>();
  const present = (mint: string): Promise<string | null> => {
    const answer = asked.get(mint) ?? observe(deps, mint);
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

async function observe({ db, prices, logger }: Pick<MarketDeps, 'db' | 'prices' | 'logger'>, mint: string) {
  try {
    const price = await prices.usd(mint);
    if (price.source !== 'fixed') await writeDown(db, mint, price);
    return price.usd;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger.warn({ err: error, mint }, 'a quote token has no fresh price');
    return null;
  }
}

async function writeDown(db: Db, mint: string, { usd, source, observedAt }: UsdPrice): Promise<void> {
  const latest = await prices.latest(db, mint);
  const isNews = !latest || observedAt.getTime() - latest.observedAt.getTime() >= OBSERVE_EVERY_MS;
  if (isNews) await prices.record(db, [{ mint, usd, source, observedAt }]);
}
