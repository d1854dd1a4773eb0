import type { RefusedWrites } from '../../../../db/platform/refused-writes.ts';
import type { StatusLine } from './line.ts';

export const REFUSED_WRITES: Readonly<Record<RefusedWrites, Pick<StatusLine, 'what' | 'remedy'>>> = {
  standby: {
    what: 'it takes no writes: it is a standby. Where it follows a primary, DATABASE_URL names the wrong one of the two; else docs/deploy.md, "Failover"',
    remedy: 'psql "$DATABASE_URL" -c "select status, sender_host from pg_stat_wal_receiver"',
  },
  'read-only': {
    what: 'it takes no writes: default_transaction_read_only is on. Who set it, or a disk that is full, is to be found before it is reset',
    remedy: `psql "$DATABASE_URL" -c "select source, sourcefile from pg_settings where name = 'default_transaction_read_only'"`,
  },
  full: {
    what: 'it takes no writes: its disk has no room for a temporary file of 1 MB',
    remedy: 'df -h "$(psql "$DATABASE_URL" -Atc "show data_directory")"',
  },
};

export function refusedWritesLines(refused: RefusedWrites | null): StatusLine[] {
  if (refused === null) return [];
  return [{ alert: 'SlipwayDatabaseRefuses', subject: 'database', is: 'read-only', ...REFUSED_WRITES[refused] }];
}
