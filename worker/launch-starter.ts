import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { LAUNCH_WORKFLOW, launchWorkflowId } from '../workflows/messages/launch.ts';
import { LAUNCHES_TASK_QUEUE } from '../workflows/messages/task-queues.ts';

/**
 * Starts the workflow of an open launch where none runs, also after an earlier one was terminated: a run that starts over
 * goes on from the state in the database.
 */
export function launchStarter(client: Client): (quoteId: string) => Promise<void> {
  return async (quoteId) => {
    try {
      await client.workflow.start(LAUNCH_WORKFLOW, {
        workflowId: launchWorkflowId(quoteId),
        taskQueue: LAUNCHES_TASK_QUEUE,
        args: [{ quoteId }],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}
