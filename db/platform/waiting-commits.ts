import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Commits that a synchronous standby has not confirmed. */
export interface WaitingCommits {
  readonly count: number;
  /** Of the longest, ms. */
  readonly longestMs: number;
}

/** Counts waiting commits of the whole server; an ordinary role sees only its own. */
export async function waitingCommits(db: Db): Promise<WaitingCommits> {
  const { rows } = await sql<{ count: number; longestMs: number }>`
    select count(*)::int as count,
      coalesce(extract(epoch from max(clock_timestamp() - query_start)) * 1000, 0)::int as longest_ms
    from pg_stat_activity where wait_event = 'SyncRep'`.execute(db);
  return rows[0] ?? { count: 0, longestMs: 0 };
}
