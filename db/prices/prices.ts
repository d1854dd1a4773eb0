/** Written with the plan that uses them, before anything is sent. */

import { type Selectable, sql } from 'kysely';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';
import type { Db } from '../connect.ts';
import type { PriceObservationTable, PriceSource } from '../schema/pairs.ts';

export interface NewPriceObservation {
  readonly mint: string;
  /** Exact decimal, 20 fraction digits. */
  readonly usd: string;
  readonly source: string;
  readonly observedAt: Date;
}

export type PriceObservation = Selectable<PriceObservationTable>;

/** Price at planning; nulls without one. */
export interface PlannedPrice {
  readonly quoteUsd: SpendableUsd | null;
  readonly priceSource: PriceSource | null;
  readonly pricedAt: Date | null;
}

export async function record(db: Db, observations: readonly NewPriceObservation[]): Promise<void> {
  if (observations.length === 0) return;
  const rows = observations.map(({ mint, usd, source, observedAt }) => ({ mint, usd, source, observedAt }));
  await db.insertInto('priceObservations').values(rows).execute();
}

export async function latest(db: Db, mint: string): Promise<PriceObservation | null> {
  const rows = db.selectFrom('priceObservations').selectAll().where('mint', '=', mint);
  return (await rows.orderBy('observedAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** Reads the newest price of each, by mint. */
export async function latestOf(db: Db, mints: readonly string[]): Promise<ReadonlyMap<string, PriceObservation>> {
  // One index lookup per token.
  const rows = await db
    .selectFrom(sql<{ mint: string }>`unnest(${[...mints]}::text[])`.as<'wanted'>(sql`wanted(mint)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('priceObservations')
          .selectAll()
          .whereRef('priceObservations.mint', '=', 'wanted.mint')
          .orderBy('observedAt', 'desc')
          .orderBy('id', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .selectAll('latest')
    .execute();
  return new Map(rows.map((row) => [row.mint, row]));
}
