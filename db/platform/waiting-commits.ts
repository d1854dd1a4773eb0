import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Commits that a synchronous standby has not confirmed yet. */
export interface WaitingCommits {
  readonly count: number;
  /** How long the longest has waited, ms; 0 where none waits. */
  readonly longestMs: number;
}

/** Counts those of the whole server; a role that is no superuser sees its own alone. */
export async function waitingCommits(db: Db): Promise<WaitingCommits> {
  const { rows } = await sql<{ count: number; longestMs: number }>`
    select count(*)::int as count,
      coalesce(extract(epoch from max(clock_timestamp() - query_start)) * 1000, 0)::int as longest_ms
    from pg_stat_activity where wait_event = 'SyncRep'`.execute(db);
  return rows[0] ?? { count: 0, longestMs: 0 };
}
