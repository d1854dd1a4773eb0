import type { Client } from '@temporalio/client';
import type { ClaimWaker } from '../activities/claim/janitor.ts';
import {
  CLAIM_OUTCOME_UPDATE_ID,
  CLAIM_WORKFLOW,
  claimOutcomeUpdate,
  claimWorkflowId,
} from '../workflows/messages/claim.ts';
import { LAUNCHES_TASK_QUEUE } from '../workflows/messages/task-queues.ts';

/** Starts the workflow of an open claim where none runs, also after an earlier one was terminated. */
export function createClaimWaker(client: Client): ClaimWaker {
  const start = (intentId: string) =>
    client.workflow.start(CLAIM_WORKFLOW, {
      workflowId: claimWorkflowId(intentId),
      taskQueue: LAUNCHES_TASK_QUEUE,
      args: [{ intentId }],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  return {
    start: async (intentId) => void (await start(intentId)),
    wake: async (intentId) => {
      await start(intentId);
      const handle = client.workflow.getHandle(claimWorkflowId(intentId));
      await handle.startUpdate(claimOutcomeUpdate, { updateId: CLAIM_OUTCOME_UPDATE_ID, waitForStage: 'ACCEPTED' });
    },
  };
}
