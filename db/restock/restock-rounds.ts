/** Purchases of quote tokens for the treasury. At most one of a pair is open. */

import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { RestockRoundTable } from '../schema/restock.ts';

/** One purchase of quote tokens, from its plan to its end. */
export type RestockRound = Selectable<RestockRoundTable>;

/** A round as it is planned. */
export type NewRestockRound = Pick<
  Insertable<RestockRoundTable>,
  'id' | 'mint' | 'seedId' | 'lamports' | 'budgetLamports' | 'solUsd' | 'quoteUsd' | 'priceSource' | 'pricedAt'
>;

/** How a round ended. */
export type RestockEnd =
  | {
      readonly state: 'done';
      readonly signature: string;
      /** What the treasury lost. */
      readonly spentLamports: bigint;
      readonly receivedRaw: bigint;
    }
  | { readonly state: 'skipped'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string; readonly signature: string };

/** Rounds without an end, oldest first. */
export function open(db: Db): Promise<RestockRound[]> {
  return db.selectFrom('restockRounds').selectAll().where('state', '=', 'open').orderBy('plannedAt').execute();
}

/** Only one plan is made at a time, so that budgets add up: call it inside a transaction, before they are read. */
export async function lockRestockPlans(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('restock', 0))`.execute(tx);
}

/** Writes a plan. False when a round of this pair is open already. */
export async function plan(db: Db, round: NewRestockRound): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('restockRounds')
    .values(round)
    .onConflict((conflict) => conflict.column('mint').where('state', '=', 'open').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The round with this id, or null. */
export async function byId(db: Db, id: string): Promise<RestockRound | null> {
  return (await db.selectFrom('restockRounds').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Ends an open round; a round that has ended stays as it is. */
export async function settle(db: Db, id: string, end: RestockEnd): Promise<void> {
  await db
    .updateTable('restockRounds')
    .set({ ...end, settledAt: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();
}

/** What rounds planned since a time have cost the treasury, in lamports; open ones count with their budget. */
export async function spentSince(db: Db, time: Date): Promise<bigint> {
  const { spent } = await db
    .selectFrom('restockRounds')
    .select(
      sql<
        bigint | null
      >`sum(case when state = 'open' then budget_lamports else coalesce(spent_lamports, 0) end)::numeric(39, 0)`.as(
        'spent',
      ),
    )
    .where((eb) => eb.or([eb('plannedAt', '>=', time), eb('state', '=', 'open')]))
    .executeTakeFirstOrThrow();
  return spent ?? 0n;
}

/** The newest round of a pair, or null. */
export async function latestOf(db: Db, mint: string): Promise<RestockRound | null> {
  const rounds = db.selectFrom('restockRounds').selectAll().where('mint', '=', mint);
  return (await rounds.orderBy('plannedAt', 'desc').limit(1).executeTakeFirst()) ?? null;
}
