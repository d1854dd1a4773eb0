import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { CLAIM_WORKFLOW, claimWorkflowId } from '../workflows/messages/claim.ts';
import { LAUNCHES_TASK_QUEUE } from '../workflows/messages/task-queues.ts';

/** Starts the workflow of an open claim where none runs, also after an earlier one was terminated. */
export function claimStarter(client: Client): (intentId: string) => Promise<void> {
  return async (intentId) => {
    try {
      await client.workflow.start(CLAIM_WORKFLOW, {
        workflowId: claimWorkflowId(intentId),
        taskQueue: LAUNCHES_TASK_QUEUE,
        args: [{ intentId }],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}
