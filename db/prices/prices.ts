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

/** Records prices of moments that the worker chose, or an operator's: they make a price steady. */
export function record(db: Db, observations: readonly NewPriceObservation[]): Promise<void> {
  return insert(db, observations, true);
}

/** Records prices of moments that others chose, by a trade or a launch: they value swaps and make no price steady. */
export function note(db: Db, observations: readonly NewPriceObservation[]): Promise<void> {
  return insert(db, observations, false);
}

async function insert(db: Db, observations: readonly NewPriceObservation[], isSample: boolean): Promise<void> {
  if (observations.length === 0) return;
  const rows = observations.map(({ mint, usd, source, observedAt }) => ({ mint, usd, source, observedAt, isSample }));
  await db.insertInto('priceObservations').values(rows).execute();
}

export async function latest(db: Db, mint: string): Promise<PriceObservation | null> {
  const rows = db.selectFrom('priceObservations').selectAll().where('mint', '=', mint);
  return (await rows.orderBy('observedAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** Reads the newest price of each, by mint; `samples`: of those that make a price steady. */
export async function latestOf(
  db: Db,
  mints: readonly string[],
  which: 'all' | 'samples' = 'all',
): Promise<ReadonlyMap<string, PriceObservation>> {
  // One index lookup per token.
  const rows = await db
    .selectFrom(sql<{ mint: string }>`unnest(${[...mints]}::text[])`.as<'wanted'>(sql`wanted(mint)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('priceObservations')
          .selectAll()
          .whereRef('priceObservations.mint', '=', 'wanted.mint')
          .$if(which === 'samples', (query) => query.where('isSample', '=', true))
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
