import { sql } from 'kysely';
import type { Db } from './connect.ts';

export interface Counted {
  /** From 1. */
  readonly current: number;
  /** Until the window ends. */
  readonly remainingMs: number;
}

/**
 * Counts a request, or `times` at once, in a window of `windowMs` that its first request starts. Uses the database's
 * clock: processes share the count.
 */
export async function countRequest(db: Db, key: string, windowMs: number, times = 1): Promise<Counted> {
  const fresh = sql<Date>`clock_timestamp() + ${windowMs} * interval '1 millisecond'`;
  return db
    .insertInto('rateCounters')
    .values({ key, count: times, endsAt: fresh })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when rate_counters.ends_at <= clock_timestamp() then excluded.count else rate_counters.count + excluded.count end`,
        endsAt: sql`case when rate_counters.ends_at <= clock_timestamp() then excluded.ends_at else rate_counters.ends_at end`,
      }),
    )
    .returning([
      'count as current',
      sql<number>`greatest(0, ceil(extract(epoch from ends_at - clock_timestamp()) * 1000))::integer`.as('remainingMs'),
    ])
    .executeTakeFirstOrThrow();
}

/** Returns how many. */
export async function discardEndedCounters(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('rateCounters')
    .where('endsAt', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
