import { sql } from 'kysely';
import type { Db } from '../connect.ts';
import { isDiskFull } from '../errors.ts';

export type RefusedWrites = 'standby' | 'read-only' | 'full';

/** Null if it takes writes. */
export async function refusedWrites(db: Db): Promise<RefusedWrites | null> {
  const { rows } = await sql<{ isStandby: boolean; isReadOnly: boolean }>`
    select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only`.execute(
    db,
  );
  const [{ isStandby, isReadOnly } = { isStandby: false, isReadOnly: false }] = rows;
  if (isStandby) return 'standby';
  if (isReadOnly) return 'read-only';
  return (await hasRoom(db)) ? null : 'full';
}

export interface ReadOnlySetting {
  /** The `source` in `pg_settings`: who set it. */
  readonly source: string;
  readonly database: string;
  readonly role: string;
  readonly isSuperuser: boolean;
}

export async function readOnlySetting(db: Db): Promise<ReadOnlySetting> {
  const { rows } = await sql<ReadOnlySetting>`
    select source, current_database() as database, session_user as role,
      current_setting('is_superuser') = 'on' as is_superuser
    from pg_settings where name = 'default_transaction_read_only'`.execute(db);
  const [setting] = rows;
  if (!setting) throw new Error('pg_settings has no default_transaction_read_only');
  return setting;
}

/**
 * Sorts 1 MB in 64 kB of memory, so that PostgreSQL writes a temporary file to the disk of its data. SQL cannot read
 * how much of a disk is free.
 */
async function hasRoom(db: Db): Promise<boolean> {
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`set local work_mem = '64kB'`.execute(transaction);
      await sql`
        select max(line) from (
          select repeat('x', 200) || n as line from generate_series(1, 5000) as n order by n desc offset 1
        ) as sorted`.execute(transaction);
    });
    return true;
  } catch (error) {
    if (isDiskFull(error)) return false;
    throw error;
  }
}

/** Names no address. */
export class ReadOnlyDatabaseError extends Error {
  override readonly name = 'ReadOnlyDatabaseError';
}

const REFUSALS: Readonly<Record<RefusedWrites, string>> = {
  standby: 'it takes no writes: it is a standby',
  'read-only': 'it takes no writes: default_transaction_read_only is on',
  full: 'it takes no writes: its disk is full',
};

/** @throws ReadOnlyDatabaseError; rejects without an answer */
export async function assertTakesWrites(db: Db): Promise<void> {
  const refused = await refusedWrites(db);
  if (refused !== null) throw new ReadOnlyDatabaseError(REFUSALS[refused]);
}
