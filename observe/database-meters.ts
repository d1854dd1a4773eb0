import type { Metric } from 'prom-client';
import { within } from '../domain/within.ts';
import { createReadGauge, type ReadLog } from './read-gauge.ts';

/** What is asked of the database, on a connection of the page's own: commits that wait for a standby take all others. */
export interface DatabaseQuestions {
  /** Null where it takes writes. */
  readonly refusedWrites: () => Promise<string | null>;
  /** The longest wait of a commit for the synchronous standby, ms. */
  readonly waitingCommits: () => Promise<{ readonly longestMs: number }>;
}

/** A database that answers later than this is away, in ms. */
const PATIENCE_MS = 2_000;

/** How the database stands to a process: API and worker have roles of their own, and each sees the commits of its own. */
export function createDatabaseMeters(
  { refusedWrites, waitingCommits }: DatabaseQuestions,
  logger: ReadLog,
): readonly Metric[] {
  const writable = createReadGauge(logger, {
    name: 'slipway_database_writable',
    help: '1 where the database answers this process and takes writes; 0 where it is away, read-only or a standby',
    read: () =>
      within(PATIENCE_MS, refusedWrites()).then(
        (refused) => (refused === null ? 1 : 0),
        () => 0,
      ),
  });
  const commits = createReadGauge(logger, {
    name: 'slipway_commit_wait_seconds',
    help: 'For how long the commit has waited that waits longest for the synchronous standby, of those that the role of this process sees; 0 where none does',
    read: async () => (await waitingCommits()).longestMs / 1_000,
  });
  return [writable, commits];
}
