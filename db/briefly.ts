import { sql } from 'kysely';
import { type Db, transaction } from './connect.ts';

/** Writers queue behind a lock request: give up soon, retry later. */
const LOCK_PATIENCE = '200ms';

/** Runs a transaction that gives up soon on a lock, so that others do not queue behind it. */
export function briefly<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return transaction(db, async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_PATIENCE)}`.execute(tx);
    return work(tx);
  });
}
