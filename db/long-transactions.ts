import { sql } from 'kysely';
import type { Db } from './connect.ts';

/**
 * Ends the sessions of other roles whose transaction has been open for longer, and returns their process ids. A role can
 * lift its own limits, and one open transaction holds all events back. It ends only roles that the owner is a member of,
 * and no superuser's session, such as a backup.
 */
export async function endLongTransactions(db: Db, seconds: number): Promise<number[]> {
  // Materialized, since the planner may ask a condition of the process id alone before all others.
  const { rows } = await sql<{ pid: number }>`
    with old as materialized (
      select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and usename <> current_user
        and xact_start <= clock_timestamp() - make_interval(secs => ${seconds})
        and not exists (select from pg_roles where pg_roles.oid = usesysid and rolsuper)
        and pg_has_role(usesysid, 'usage')
    )
    select pid from old where pg_terminate_backend(pid)
  `.execute(db);
  return rows.map(({ pid }) => pid);
}
