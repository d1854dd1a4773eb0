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
  await writeDown(db, new Map([[mint, price]]));
  return price;
}

/** The same of many tokens, by mint; without those that have no fresh price, each with a line in the log. */
export async function observedPrices(
  { db, prices: source, logger }: ObservedDeps & { readonly logger: Logger },
  mints: readonly string[],
): Promise<ReadonlyMap<string, UsdPrice>> {
  const answers = await Promise.all(
    mints.map(async (mint) => {
      try {
        return [[mint, await source.usd(mint)] as const];
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        logger.warn({ err: error, mint }, 'a token has no fresh price');
        return [];
      }
    }),
  );
  const found = new Map(answers.flat());
  await writeDown(db, found);
  return found;
}

async function writeDown(db: Db, found: ReadonlyMap<string, UsdPrice>): Promise<void> {
  const moving = [...found].filter(([, { source }]) => source !== 'fixed');
  if (moving.length === 0) return;
  const known = await prices.latestOf(
    db,
    moving.map(([mint]) => mint),
  );
  const news = moving.filter(([mint, { observedAt }]) => {
    const latest = known.get(mint);
    return !latest || observedAt.getTime() - latest.observedAt.getTime() >= OBSERVE_EVERY_MS;
  });
  await prices.record(
    db,
    news.map(([mint, { usd, source, observedAt }]) => ({ mint, usd, source, observedAt })),
  );
}
