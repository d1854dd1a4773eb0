import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Where a client stands in its window. */
export interface Counted {
  /** Number of this request in the window, from 1. */
  readonly current: number;
  /** How long the window still lasts, ms. */
  readonly remainingMs: number;
}

/**
 * Counts one request under `key` in a window of `windowMs` that its first request began. One statement, by the database's
 * clock: processes that share the database share the count.
 */
export async function countRequest(db: Db, key: string, windowMs: number): Promise<Counted> {
  const fresh = sql<Date>`clock_timestamp() + ${windowMs} * interval '1 millisecond'`;
  return db
    .insertInto('rateCounters')
    .values({ key, count: 1, endsAt: fresh })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when rate_counters.ends_at <= clock_timestamp() then 1 else rate_counters.count + 1 end`,
        endsAt: sql`case when rate_counters.ends_at <= clock_timestamp() then excluded.ends_at else rate_counters.ends_at end`,
      }),
    )
    .returning([
      'count as current',
      sql<number>`greatest(0, ceil(extract(epoch from ends_at - clock_timestamp()) * 1000))::integer`.as('remainingMs'),
    ])
    .executeTakeFirstOrThrow();
}

/** Forgets the clients whose window is over; answers how many. */
export async function discardEndedCounters(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('rateCounters')
    .where('endsAt', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
