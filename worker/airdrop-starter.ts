import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { AIRDROP_WORKFLOW, airdropStart } from '../workflows/messages/airdrop.ts';

/** Starts the delivery of an airdrop where it does not run, also after an earlier run was terminated. */
export function airdropStarter(client: Client): (quoteId: string) => Promise<void> {
  return async (quoteId) => {
    try {
      await client.workflow.start(AIRDROP_WORKFLOW, airdropStart(quoteId));
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}
