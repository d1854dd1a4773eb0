import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { MARKET_INDEX_ID, MARKET_INDEX_WORKFLOW } from '../workflows/messages/market.ts';
import { ROUNDS_TASK_QUEUE } from '../workflows/messages/task-queues.ts';

/** Starts the index of the market where it does not run, also after it was terminated. */
export function marketIndexStarter(client: Client): () => Promise<void> {
  return async () => {
    try {
      await client.workflow.start(MARKET_INDEX_WORKFLOW, {
        workflowId: MARKET_INDEX_ID,
        taskQueue: ROUNDS_TASK_QUEUE,
        args: [{}],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}
