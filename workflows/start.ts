import type { TaskQueue } from './task-queues.ts';

/** How a workflow is called that a schedule starts again and again. */
export interface Round {
  /** Id of the schedule and of the workflows it starts (Temporal appends the time). */
  readonly scheduleId: string;
  /** Name of a workflow exported from workflows/index.ts. */
  readonly workflowType: string;
  readonly taskQueue: TaskQueue;
}

/**
 * Policies of a workflow that anybody may start at any time: one that runs is kept, and after one that ended, was cancelled or
 * terminated a new one goes on from the state in the database.
 */
export const IF_ABSENT = {
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
} as const;
