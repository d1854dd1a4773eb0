import type { TaskQueue } from './task-queues.ts';

export interface Round {
  /** Also of its workflows (Temporal appends the time). */
  readonly scheduleId: string;
  /** Exported from workflows/index.ts. */
  readonly workflowType: string;
  readonly taskQueue: TaskQueue;
}

/** Start options that keep a running workflow; after an ended one a new run continues from the database. */
export const IF_ABSENT = {
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
} as const;
