import type { Db } from '../../../../db/connect.ts';
import { readOnlySetting, type RefusedWrites, refusedWrites } from '../../../../db/platform/refused-writes.ts';
import type { StatusLine } from './line.ts';

type Told = Pick<StatusLine, 'what' | 'remedy'>;

const TOLD: Readonly<Record<Exclude<RefusedWrites, 'read-only'>, Told>> = {
  standby: {
    what: 'it takes no writes: it is a standby. Where it follows a primary, DATABASE_URL names the wrong one of the two; else docs/deploy.md, "Failover"',
    remedy: 'psql "$DATABASE_URL" -c "select status, sender_host from pg_stat_wal_receiver"',
  },
  full: {
    what: 'it takes no writes: its disk has no room for a temporary file of 1 MB',
    remedy: 'make room, or grow the disk: df -h "$(psql "$DATABASE_URL" -Atc "show data_directory")"',
  },
};

/** Says why a database takes no writes, and what ends it; null where it takes them. */
export async function toldOfRefusedWrites(db: Db): Promise<Told | null> {
  const refused = await refusedWrites(db);
  if (refused === null) return null;
  return refused === 'read-only' ? toldOfReadOnly(db) : TOLD[refused];
}

/** Sessions that are open keep what was set for a database or a role. */
const THEN = 'then restart api and worker';

async function toldOfReadOnly(db: Db): Promise<Told> {
  const { source, database, role, isSuperuser } = await readOnlySetting(db);
  const told = (remedy: string) => ({
    what: `it takes no writes: default_transaction_read_only is on, set by ${source}. Some hosts set it when the disk is nearly full: look there first`,
    remedy,
  });
  const reset = (whose: string) =>
    `psql "$DATABASE_URL" -c "set default_transaction_read_only = off" -c 'alter ${whose} reset default_transaction_read_only'`;
  switch (source) {
    case 'database':
      return told(`${reset(`database "${database}"`)}; ${THEN}`);
    case 'user':
      return told(`${reset(`role "${role}"`)}; ${THEN}`);
    case 'database user':
      return told(`${reset(`role "${role}" in database "${database}"`)}; ${THEN}`);
    case 'configuration file':
      return told(
        `psql ${isSuperuser ? '"$DATABASE_URL"' : '-U postgres'} -c "alter system reset default_transaction_read_only" -c "select pg_reload_conf()"; it stays on: take it out of postgresql.conf`,
      );
    default:
      return told(`take default_transaction_read_only out of where DATABASE_URL or the server is started; ${THEN}`);
  }
}

export async function refusedWritesLines(db: Db): Promise<StatusLine[]> {
  const told = await toldOfRefusedWrites(db);
  return told === null ? [] : [{ alert: 'SlipwayDatabaseRefuses', subject: 'database', is: 'read-only', ...told }];
}
