import { clockSkew } from '../../../../db/platform/clock-skew.ts';
import { ALARMS } from '../../../../domain/alarms/alarms.ts';
import type { Db } from '../../../../db/connect.ts';
import type { OpsIo } from '../../../io.ts';
import type { Watched } from '../watch/watched.ts';
import { watchArchive } from '../watch/backups.ts';
import { watchMachine } from '../watch/watch.ts';
import type { Findings, StatusLine } from './line.ts';

const SEEN: Readonly<Record<Watched['subject'], Pick<StatusLine, 'alert' | 'is'>>> = {
  clock: { alert: 'SlipwayClocksDiffer', is: 'wrong' },
  storage: { alert: 'SlipwayDependencyDown', is: 'unreachable' },
  disk: { alert: 'SlipwayDiskFull', is: 'low' },
  certificate: { alert: 'SlipwayCertificateEnds', is: 'late' },
  backup: { alert: 'SlipwayBackupLate', is: 'late' },
};

export async function watchedFindings(io: OpsIo, now: Date): Promise<Findings> {
  const watched = await watchMachine(io.env, now);
  const unset = (variable: string, what: string) => (io.env[variable] ? [] : [`${what} (${variable})`]);
  const isBackupMissing = isDeployment(io) && !io.env['BACKUP_STAMP_FILE'];
  return {
    lines: [...watched, ...(isBackupMissing ? [NO_BACKUP] : [])].flatMap(lineOf),
    notAsked: [
      ...unset('SITE_URL', 'certificate of the site'),
      ...unset('STORE_DIR', "the store's directory and disk"),
      ...(isBackupMissing ? [] : unset('BACKUP_STAMP_FILE', 'base backups')),
    ],
  };
}

/** Elsewhere nothing is lost with a disk. */
const isDeployment = ({ env }: OpsIo) => env['ENVIRONMENT'] === 'production';

const NO_BACKUP: Watched = {
  subject: 'backup',
  what: 'nothing says when the last base backup was made',
  remedy: 'name the file that your backup job touches in BACKUP_STAMP_FILE (docs/deploy.md)',
};

/** Looks for an archive of WAL: a lost disk takes all since the last base backup with it where there is none. */
export async function archiveFindings(io: OpsIo, db: Db): Promise<Findings> {
  const watched = await watchArchive(db);
  if (watched.remedy === null || isDeployment(io) || !watched.isOff) return { lines: lineOf(watched), notAsked: [] };
  return { lines: [], notAsked: ['the archive of WAL (archive_mode of PostgreSQL)'] };
}

export function lineOf({ subject, what, remedy }: Watched): StatusLine[] {
  return remedy === null ? [] : [{ ...SEEN[subject], subject, what, remedy }];
}

/** A quote lives for a minute and a half. */
const MOST_SKEW_MS = 5_000;

export async function databaseClockLines(db: Db): Promise<StatusLine[]> {
  return clockLines('the database', (await clockSkew(db)).ms);
}

export function clockLines(whose: string, skewMs: number): StatusLine[] {
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return [];
  const what = `the clock of ${whose} is ${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`;
  return [{ ...SEEN.clock, subject: 'clock', what, remedy: ALARMS[SEEN.clock.alert].command }];
}
