import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** An open transaction that has written. */
export interface Writer {
  readonly pid: number;
  readonly openSeconds: number;
  /** Its `application_name`; may be empty. */
  readonly application: string;
}

/** Returns the writer whose transaction is open for longest; an ordinary role sees only its own. */
export async function oldestWriter(db: Db): Promise<Writer | null> {
  const { rows } = await sql<Writer>`
    select pid, extract(epoch from clock_timestamp() - xact_start)::float8 as open_seconds,
      application_name as application
    from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()
    order by xact_start limit 1`.execute(db);
  return rows[0] ?? null;
}
