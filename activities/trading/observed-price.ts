import type { Logger } from 'pino';
import type { PriceSource, UsdPrice } from '../../chain/prices/price-source.ts';
import type { Db } from '../../db/connect.ts';
import * as prices from '../../db/prices/prices.ts';
import { AppError } from '../../domain/errors.ts';

/** What prices are observed with. */
export interface ObservedDeps {
  readonly db: Db;
  readonly prices: PriceSource;
}

/** Prices of a token are written down no closer than this, ms. */
const OBSERVE_EVERY_MS = 5_000;

/**
 * The present price of a token, written down, so that what was worth how much can be computed again. One that an operator set is
 * written down already; to write it again could undo a newer one. Rejects with AppError `service_unavailable` without a fresh one.
 */
export async function observedPrice({ db, prices: source }: ObservedDeps, mint: string): Promise<UsdPrice> {
  const price = await source.usd(mint);
  if (price.source !== 'fixed') await writeDown(db, mint, price);
  return price;
}

/** The same; null, and a line in the log, where there is no fresh one. */
export async function observedPriceIfAny(
  deps: ObservedDeps & { readonly logger: Logger },
  mint: string,
): Promise<UsdPrice | null> {
  try {
    return await observedPrice(deps, mint);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.logger.warn({ err: error, mint }, 'a token has no fresh price');
    return null;
  }
}

async function writeDown(db: Db, mint: string, { usd, source, observedAt }: UsdPrice): Promise<void> {
  const latest = await prices.latest(db, mint);
  const isNews = !latest || observedAt.getTime() - latest.observedAt.getTime() >= OBSERVE_EVERY_MS;
  if (isNews) await prices.record(db, [{ mint, usd, source, observedAt }]);
}
