import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import {
  CLAIM_NONCE_WORKFLOW,
  CLAIM_OUTCOME_UPDATE_ID,
  CLAIM_WORKFLOW,
  claimNonceWorkflowId,
  claimOutcomeUpdate,
  type ClaimVerdict,
  claimWorkflowId,
  NONCE_READY_UPDATE,
  NONCE_READY_UPDATE_ID,
} from '../../workflows/messages/claim.ts';
import { LAUNCHES_TASK_QUEUE } from '../../workflows/messages/task-queues.ts';

/** Starts what claims need and waits for it. Everything rejects when Temporal cannot be reached or a wait is over. */
export interface ClaimStarter {
  /** Has the nonce of a launch made and waits until it is confirmed. */
  nonceReady(mint: string, waitMs: number): Promise<void>;
  /** Starts the workflow of an issued intent, with its timer. */
  start(intentId: string): Promise<void>;
  /** Says that an intent was submitted and waits for its verdict. */
  outcome(intentId: string, waitMs: number): Promise<ClaimVerdict>;
}

/** Every caller uses one update id: however many submit the same claim at once, there is one update and one answer. */
export function createClaimStarter(client: Client): ClaimStarter {
  return {
    nonceReady: async (mint, waitMs) => {
      await client.withDeadline(Date.now() + waitMs, () =>
        client.workflow.executeUpdateWithStart<Workflow, string, []>(NONCE_READY_UPDATE, {
          updateId: NONCE_READY_UPDATE_ID,
          startWorkflowOperation: new WithStartWorkflowOperation(CLAIM_NONCE_WORKFLOW, {
            workflowId: claimNonceWorkflowId(mint),
            taskQueue: LAUNCHES_TASK_QUEUE,
            args: [{ mint }],
            workflowIdConflictPolicy: 'USE_EXISTING',
            // Also after it ended: a fork may have taken the account back.
            workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          }),
        }),
      );
    },
    start: (intentId) => start(client, intentId),
    outcome: (intentId, waitMs) =>
      client.withDeadline(Date.now() + waitMs, async () => {
        // Not one update-with-start: of a run that ended, the server would answer the old outcome and start nothing.
        await start(client, intentId);
        const handle = client.workflow.getHandle(claimWorkflowId(intentId));
        return handle.executeUpdate(claimOutcomeUpdate, { updateId: CLAIM_OUTCOME_UPDATE_ID });
      }),
  };
}

async function start(client: Client, intentId: string): Promise<void> {
  await client.workflow.start(CLAIM_WORKFLOW, {
    workflowId: claimWorkflowId(intentId),
    taskQueue: LAUNCHES_TASK_QUEUE,
    args: [{ intentId }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    // Also after it ended: the row alone says whether something is left to do. Somebody may have terminated it, or the
    // database was set back.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
}
