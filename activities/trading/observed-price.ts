import type { Logger } from 'pino';
import type { PriceSource, UsdPrice } from '../../chain/prices/price-source.ts';
import type { Db } from '../../db/connect.ts';
import * as prices from '../../db/prices/prices.ts';
import { AppError } from '../../domain/errors.ts';

export interface ObservedDeps {
  readonly db: Db;
  readonly prices: PriceSource;
  readonly now: () => Date;
}

/**
 * Minimum time between two recorded prices of a token, ms. A newer price dated closer is recorded by the next request
 * after this time: it may have stood since then.
 */
const OBSERVE_EVERY_MS = 5_000;

/** `samples` are looked at in moments that the worker chooses: they alone make a price steady. */
export type ObservationKind = 'samples' | 'notes';

/** Rejects with AppError `service_unavailable` without a fresh price. */
export async function observedPrice(deps: ObservedDeps, mint: string): Promise<UsdPrice> {
  const price = await deps.prices.spotUsd(mint);
  await writeDown(deps, new Map([[mint, price]]), 'notes');
  return price;
}

/** Returns prices by mint. Omits and logs tokens without a fresh price. */
export async function observedPrices(
  deps: ObservedDeps & { readonly logger: Logger },
  mints: readonly string[],
  kind: ObservationKind = 'notes',
): Promise<ReadonlyMap<string, UsdPrice>> {
  const answers = await Promise.all(
    mints.map(async (mint) => {
      try {
        return [[mint, await deps.prices.spotUsd(mint)] as const];
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        deps.logger.warn({ err: error, mint }, 'a token has no fresh price');
        return [];
      }
    }),
  );
  const found = new Map(answers.flat());
  await writeDown(deps, found, kind);
  return found;
}

async function writeDown(
  { db, now, prices: source }: ObservedDeps,
  found: ReadonlyMap<string, UsdPrice>,
  kind: ObservationKind,
): Promise<void> {
  const moving = [...found].filter(([, { source }]) => source !== 'fixed');
  if (moving.length === 0 || (await source.clockProblem()) !== null) return;
  const { which, write } = WRITTEN[kind];
  const known = await prices.latestOf(
    db,
    moving.map(([mint]) => mint),
    which,
  );
  const askedAt = now().getTime();
  const news = moving.filter(([mint, { observedAt }]) => {
    const lastAt = known.get(mint)?.observedAt.getTime() ?? Number.NEGATIVE_INFINITY;
    const isNewer = observedAt.getTime() > lastAt;
    return isNewer && Math.max(observedAt.getTime(), askedAt) - lastAt >= OBSERVE_EVERY_MS;
  });
  await write(
    db,
    news.map(([mint, { usd, source, observedAt }]) => ({ mint, usd, source, observedAt })),
  );
}

/** The prices that one of a kind must be newer than, and how it is recorded. */
const WRITTEN = {
  samples: { which: 'samples', write: prices.record },
  notes: { which: 'all', write: prices.note },
} as const satisfies Record<ObservationKind, object>;
