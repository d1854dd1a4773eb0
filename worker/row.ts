import type { Metric } from 'prom-client';
import type { WorkerConfig } from '../config/worker.ts';
import type { Round } from '../workflows/start.ts';
import type { Shared } from './shared.ts';

/** An idempotent activity. */
export type Activity = (...args: never[]) => Promise<unknown>;

export interface WorkRow {
  readonly activities: (shared: Shared) => Readonly<Record<string, Activity>>;
  readonly meters?: (shared: Shared) => readonly Metric[];
}

/**
 * A round of a schedule. Runs never overlap: a due one is skipped while the previous works. Name, schedule and queue
 * are with its messages.
 */
export interface RoundRow extends Round, WorkRow {
  /** Between starts. */
  readonly everySeconds: (config: WorkerConfig) => number;
  /** Start behind the other rounds of this interval; default 0. */
  readonly offsetSeconds?: (config: WorkerConfig) => number;
  /** Random delay; default 0. */
  readonly jitterSeconds?: (config: WorkerConfig) => number;
  /** Older missed runs are skipped; default 60. */
  readonly catchupSeconds?: number;
}
