/** Prices that something was computed from. They are written with the plan that uses them, before anything is sent. */

import { type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { PriceObservationTable, PriceSource } from '../schema/pairs.ts';

/** USD price of one whole token as a source gave it. */
export interface NewPriceObservation {
  readonly mint: string;
  /** Exact decimal string; more than 20 fraction digits are rounded. */
  readonly usd: string;
  readonly source: string;
  /** The time the source puts on the price. */
  readonly observedAt: Date;
}

export type PriceObservation = Selectable<PriceObservationTable>;

/** What the price of a quote token was when something was planned. */
export interface PlannedPrice {
  readonly quoteUsd: string | null;
  readonly priceSource: PriceSource | null;
  readonly pricedAt: Date | null;
}

/** Keeps observed prices. */
export async function record(db: Db, observations: readonly NewPriceObservation[]): Promise<void> {
  if (observations.length === 0) return;
  const rows = observations.map(({ mint, usd, source, observedAt }) => ({ mint, usd, source, observedAt }));
  await db.insertInto('priceObservations').values(rows).execute();
}

/** The newest observation of a token, or null. */
export async function latest(db: Db, mint: string): Promise<PriceObservation | null> {
  const rows = db.selectFrom('priceObservations').selectAll().where('mint', '=', mint);
  return (await rows.orderBy('observedAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** The newest observation of each of these tokens that has one, by mint. */
export async function latestOf(db: Db, mints: readonly string[]): Promise<ReadonlyMap<string, PriceObservation>> {
  // One look-up in the index for each token, however many observations it has.
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

/** Observations of a token since a time, oldest first. */
export function since(db: Db, mint: string, time: Date): Promise<PriceObservation[]> {
  const rows = db.selectFrom('priceObservations').selectAll().where('mint', '=', mint).where('observedAt', '>=', time);
  return rows.orderBy('observedAt').orderBy('id').execute();
}
