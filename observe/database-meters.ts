import type { Metric } from 'prom-client';
import { within } from '../domain/within.ts';
import { createReadGauge, type ReadLog } from './read-gauge.ts';

/** Queries on a separate connection: commits that wait for a standby occupy all others. */
export interface DatabaseQuestions {
  readonly refusedWrites: () => Promise<string | null>;
  readonly waitingCommits: () => Promise<{ readonly longestMs: number }>;
  readonly clockSkewMs: () => Promise<number>;
}

/** Slower counts as down. */
const PATIENCE_MS = 2_000;

export function createDatabaseMeters(
  { refusedWrites, waitingCommits, clockSkewMs }: DatabaseQuestions,
  logger: ReadLog,
): readonly Metric[] {
  const writable = createReadGauge(logger, {
    name: 'slipway_database_writable',
    help: '1 where the database answers this process and takes writes; 0 where it is away, read-only, a standby or out of disk',
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
  const clock = createReadGauge(logger, {
    name: 'slipway_database_clock_skew_seconds',
    help: "How far the database's clock is ahead of this process's; negative where it is behind",
    read: async () => (await clockSkewMs()) / 1_000,
  });
  return [writable, commits, clock];
}
