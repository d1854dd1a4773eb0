import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Why a database takes no writes: its server follows another one, or it was told so. */
export type RefusedWrites = 'standby' | 'read-only';

/** Null where the database takes writes. */
export async function refusedWrites(db: Db): Promise<RefusedWrites | null> {
  const { rows } = await sql<{ isStandby: boolean; isReadOnly: boolean }>`
    select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only`.execute(
    db,
  );
  const [{ isStandby, isReadOnly } = { isStandby: false, isReadOnly: false }] = rows;
  if (isStandby) return 'standby';
  return isReadOnly ? 'read-only' : null;
}
