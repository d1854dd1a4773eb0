import type { Client } from '@temporalio/client';
import type { RemedyAnswer, RemedyRequest } from '../../activities/money/remedies/activities.ts';
import type { Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

export const RECONCILE_ROUND: Round = {
  scheduleId: 'reconcile',
  workflowType: 'reconcile',
  taskQueue: ROUNDS_TASK_QUEUE,
};

/** Carries out the remedy under the caller's id; waits at most `waitSeconds`. */
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
