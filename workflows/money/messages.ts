import type { Client } from '@temporalio/client';
import type { RemedyAnswer, RemedyRequest } from '../../activities/money/remedies/activities.ts';
import type { Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** The round that compares the books with the chain. */
export const RECONCILE_ROUND: Round = {
  scheduleId: 'reconcile',
  workflowType: 'reconcile',
  taskQueue: ROUNDS_TASK_QUEUE,
};

/** Has a remedy carried out under an id of the caller's and waits for the answer, at most so many seconds. */
export function carryOutRemedy(
  client: Client,
  id: string,
  request: RemedyRequest,
  waitSeconds: number,
): Promise<RemedyAnswer> {
  return client.workflow.execute<(request: RemedyRequest) => Promise<RemedyAnswer>>('remedy', {
    workflowId: `remedy-${id}`,
    taskQueue: ROUNDS_TASK_QUEUE,
    args: [request],
    workflowExecutionTimeout: waitSeconds * 1_000,
  });
}
