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

/** A process that writes is of no use on such a database. The message names no address. */
export class ReadOnlyDatabaseError extends Error {
  override readonly name = 'ReadOnlyDatabaseError';
}

const REFUSALS: Readonly<Record<RefusedWrites, string>> = {
  standby: 'it takes no writes: it is a standby',
  'read-only': 'it takes no writes: default_transaction_read_only is on',
};

/** Rejects where the database does not answer, and with a ReadOnlyDatabaseError where it takes no writes. */
export async function assertTakesWrites(db: Db): Promise<void> {
  const refused = await refusedWrites(db);
  if (refused !== null) throw new ReadOnlyDatabaseError(REFUSALS[refused]);
}
