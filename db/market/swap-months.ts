import { sql } from 'kysely';
import { briefly } from '../briefly.ts';
import type { Db } from '../connect.ts';

/** Months since year 0, UTC. */
export type SwapMonth = number;

export interface StoredMonth {
  readonly month: SwapMonth;
  readonly table: string;
  readonly aboutSwaps: bigint;
  readonly bytes: bigint;
}

const MONTHS_AHEAD = 2;

export function monthOf(moment: Date): SwapMonth {
  return moment.getUTCFullYear() * 12 + moment.getUTCMonth();
}

/** Formats a month as 2026-05. */
export function monthText(month: SwapMonth): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/** Returns new ones; one query if none is missing. */
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

/** Oldest first. */
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
