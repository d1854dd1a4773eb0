/** The months that swaps are stored by: tables of their own. */

import { sql } from 'kysely';
import { type Db, transaction } from '../connect.ts';

/** Months since the beginning of year 0, by UTC. */
export type SwapMonth = number;

/** Its swaps as they lie in the database. */
export interface StoredMonth {
  readonly month: SwapMonth;
  readonly table: string;
  /** As of the last analyze. */
  readonly aboutSwaps: bigint;
  /** With indexes. */
  readonly bytes: bigint;
}

/** This month and so many after it have tables. */
const MONTHS_AHEAD = 2;

/** Everybody who stores swaps waits while a lock of theirs is waited for, so that is given up soon; another attempt may find a better moment. */
const LOCK_PATIENCE = '200ms';

/** The month of a moment. */
export function monthOf(moment: Date): SwapMonth {
  return moment.getUTCFullYear() * 12 + moment.getUTCMonth();
}

/** A month as people write it: 2026-05. */
export function monthText(month: SwapMonth): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/**
 * Gives tables to this month, the next two and those of which swaps came before they had one. Answers the months that have one now and
 * had none; asks one question where all have.
 */
export async function prepare(db: Db, now: Date): Promise<SwapMonth[]> {
  const lacking = await sql<{ month: SwapMonth }>`
    select month from (
      select (swap_month(${now}) + ahead)::smallint as month from generate_series(0, ${MONTHS_AHEAD}::integer) as ahead
      union select month from market_swaps_rest
    ) as needed where to_regclass(swap_month_table(month)) is null order by month`.execute(db);
  for (const { month } of lacking.rows) {
    await briefly(db, (tx) => sql`select add_swap_month(${month}::smallint)`.execute(tx));
  }
  return lacking.rows.map(({ month }) => month);
}

/** A database transaction that gives up as soon as others would wait for its locks. */
export function briefly<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return transaction(db, async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_PATIENCE)}`.execute(tx);
    return work(tx);
  });
}

/** The months that have tables, oldest first. */
export async function stored(db: Db): Promise<StoredMonth[]> {
  const { rows } = await sql<StoredMonth>`
    select month, class.relname as "table", greatest(class.reltuples, 0)::bigint as about_swaps,
      pg_total_relation_size(class.oid) as bytes
    from pg_inherits join pg_class as class on class.oid = inhrelid
    cross join lateral (
      select (substring(class.relname from '_(\\d{4})_\\d{2}$')::integer * 12
        + substring(class.relname from '_\\d{4}_(\\d{2})$')::integer - 1) as month
    ) as named
    where inhparent = 'market_swaps'::regclass and month is not null order by month`.execute(db);
  return rows;
}
