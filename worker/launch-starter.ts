import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { LAUNCH_WORKFLOW, launchStart } from '../workflows/messages/launch.ts';

/**
 * Starts the workflow of an open launch where none runs, also after an earlier one was terminated: a run that starts over
 * goes on from the state in the database.
 */
export function launchStarter(client: Client): (quoteId: string) => Promise<void> {
  return async (quoteId) => {
    try {
      await client.workflow.start(LAUNCH_WORKFLOW, launchStart(quoteId));
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}
