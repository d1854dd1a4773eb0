import { sql } from 'kysely';
import { stat } from 'node:fs/promises';
import type { Db } from '../../../../db/connect.ts';
import { duration } from '../../../output.ts';
import type { Watched } from './watched.ts';

/** Daily, and may take two hours. */
const OLDEST_BACKUP_MS = 26 * 3_600_000;

/** `pg_stat_archiver`, visible to every role. */
interface Archiver {
  readonly mode: string;
  readonly lastArchived: Date | null;
  readonly lastFailed: Date | null;
}

/** Checks the archive: without it a lost disk loses all since the last base backup. */
export async function watchArchive(db: Db): Promise<Watched> {
  const { rows } = await sql<Archiver>`
    select current_setting('archive_mode') as mode, last_archived_time as "lastArchived", last_failed_time as "lastFailed"
    from pg_stat_archiver`.execute(db);
  const archiver = rows[0];
  if (archiver === undefined || archiver.mode === 'off') {
    const remedy = 'set archive_mode and archive_command, or have your provider do so (docs/deploy.md)';
    return { subject: 'backup', what: 'PostgreSQL archives no WAL: archive_mode is off', remedy, isOff: true };
  }
  return judgeArchive(archiver);
}

/** Fails if the last failure is younger than the last success. */
export function judgeArchive({ lastArchived, lastFailed }: Omit<Archiver, 'mode'>): Watched {
  const isFailing = lastFailed !== null && (lastArchived === null || lastFailed > lastArchived);
  const when = lastArchived === null ? 'nothing yet' : `last at ${lastArchived.toISOString()}`;
  if (!isFailing) return { subject: 'backup', what: `PostgreSQL archives its WAL, ${when}`, remedy: null };
  const remedy = "look at archive_command in PostgreSQL's log";
  return { subject: 'backup', what: `PostgreSQL fails to archive its WAL since it archived ${when}`, remedy };
}

export async function watchBackupStamp(path: string, now: Date): Promise<Watched> {
  const remedy = `look at the backup job, which touches ${path} after each success`;
  const touched = await modifiedAt(path);
  if (touched === null)
    return { subject: 'backup', what: `no base backup was ever made: ${path} is not there`, remedy };
  const ageMs = now.getTime() - touched.getTime();
  const what = `the newest base backup was made ${duration(ageMs)} ago`;
  return { subject: 'backup', what, remedy: ageMs > OLDEST_BACKUP_MS ? remedy : null };
}

async function modifiedAt(path: string): Promise<Date | null> {
  try {
    return (await stat(path)).mtime;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
