/** For the treasury. At most one of a pair is open. */

import { type Insertable, type Selectable, sql } from 'kysely';
import { restockPurpose } from '../../domain/restock/restock.ts';
import type { Db } from '../connect.ts';
import { type DueLock, takeDueLock, type Unsigned } from '../money/due-lock.ts';
import type { RestockRoundTable } from '../schema/restock.ts';

export type RestockRound = Selectable<RestockRoundTable>;

export type NewRestockRound = Pick<
  Insertable<RestockRoundTable>,
  'id' | 'mint' | 'seedId' | 'lamports' | 'budgetLamports' | 'solUsd' | 'quoteUsd' | 'priceSource' | 'pricedAt'
> & { /** By the chain's clock: the daily limit counts from here. */ readonly plannedAt: Date };

/** `short`, with a reason: less than was signed. */
export type RestockSwap = ({ readonly state: 'done' } | { readonly state: 'short'; readonly reason: string }) & {
  readonly signature: string;
  /** Spent by the treasury. */
  readonly spentLamports: bigint;
  readonly receivedRaw: bigint;
};

type RestockFailure =
  | { readonly state: 'skipped'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string; readonly signature: string };

/** Oldest first. */
export function open(db: Db): Promise<RestockRound[]> {
  return db.selectFrom('restockRounds').selectAll().where('state', '=', 'open').orderBy('plannedAt').execute();
}

/** Locks planning in a transaction, before reading budgets, so that they add up. */
export async function lockRestockPlans(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('restock', 0))`.execute(tx);
}

/** False when a round of the pair is open. */
export async function plan(db: Db, round: NewRestockRound): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('restockRounds')
    .values(round)
    .onConflict((conflict) => conflict.column('mint').where('state', '=', 'open').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function byId(db: Db, id: string): Promise<RestockRound | null> {
  return (await db.selectFrom('restockRounds').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Null if the round has ended. */
export function lockDue(tx: Db, id: string): Promise<DueLock<RestockRound> | null> {
  const purposes = () => [restockPurpose(id)];
  return takeDueLock(tx, purposes, () => {
    const row = tx.selectFrom('restockRounds').selectAll().where('id', '=', id).where('state', '=', 'open');
    return row.forUpdate().executeTakeFirst();
  });
}

/** Least that the treasury gets, raw; keeps the smallest of several. */
export async function agree(tx: Db, id: string, agreedRaw: bigint): Promise<void> {
  const leastRaw = sql<bigint>`least(agreed_raw, ${agreedRaw}::numeric)`;
  await tx.updateTable('restockRounds').set({ agreedRaw: leastRaw }).where('id', '=', id).execute();
}

/** Lists short rounds that no operator has cleared, oldest first. */
export function uncleared(db: Db): Promise<RestockRound[]> {
  const short = db.selectFrom('restockRounds').selectAll().where('state', '=', 'short').where('clearedAt', 'is', null);
  return short.orderBy('plannedAt').execute();
}

/** False if this round does not block its pair. */
export async function clear(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('restockRounds')
    .set({ clearedAt: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'short')
    .where('clearedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** `signature`: of a transaction that failed on the chain. */
export function giveUp(
  { tx, row }: Unsigned<RestockRound>,
  { reason, signature }: { readonly reason: string; readonly signature?: string },
): Promise<void> {
  return settle(
    tx,
    row.id,
    signature === undefined ? { state: 'skipped', reason } : { state: 'failed', reason, signature },
  );
}

/** An ended round stays. */
export function book(db: Db, id: string, swap: RestockSwap): Promise<void> {
  return settle(db, id, swap);
}

async function settle(db: Db, id: string, end: RestockSwap | RestockFailure): Promise<void> {
  await db
    .updateTable('restockRounds')
    .set({ ...end, settledAt: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();
}

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

export async function latestOf(db: Db, mint: string): Promise<RestockRound | null> {
  const rounds = db.selectFrom('restockRounds').selectAll().where('mint', '=', mint);
  return (await rounds.orderBy('plannedAt', 'desc').limit(1).executeTakeFirst()) ?? null;
}
