import type { Metric } from 'prom-client';
import type { WorkerConfig } from '../config/worker.ts';
import type { Round } from '../workflows/start.ts';
import type { Shared } from './shared.ts';

/** One idempotent step, as Temporal calls it. */
export type Activity = (...args: never[]) => Promise<unknown>;

/** What a process has the worker do. */
export interface WorkRow {
  /** Its activities, out of what all share. */
  readonly activities: (shared: Shared) => Readonly<Record<string, Activity>>;
  /** What Prometheus reads of it. */
  readonly meters?: (shared: Shared) => readonly Metric[];
}

/**
 * A workflow that a schedule starts again and again. Its runs never overlap: one that is due while the last one works is
 * skipped. Its name, its schedule and its task queue stand with its messages.
 */
export interface RoundRow extends Round, WorkRow {
  /** From the beginning of one run to that of the next, in seconds. */
  readonly everySeconds: (config: WorkerConfig) => number;
  /** A run begins at a random moment within so many seconds after it is due; default 0. */
  readonly jitterSeconds?: (config: WorkerConfig) => number;
  /** A run missed by an outage longer than this is not made up for, in seconds; default 60: the next one does what it missed. */
  readonly catchupSeconds?: number;
}
