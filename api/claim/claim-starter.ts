import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import {
  CLAIM_NONCE_WORKFLOW,
  CLAIM_OUTCOME_UPDATE_ID,
  claimNonceStart,
  claimOutcomeUpdate,
  type ClaimVerdict,
  claimWorkflowId,
  NONCE_READY_UPDATE_ID,
  nonceReadyUpdate,
  startClaim,
} from '../../workflows/claim/messages.ts';

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
        client.workflow.executeUpdateWithStart(nonceReadyUpdate, {
          updateId: NONCE_READY_UPDATE_ID,
          startWorkflowOperation: new WithStartWorkflowOperation(CLAIM_NONCE_WORKFLOW, claimNonceStart(mint)),
        }),
      );
    },
    start: (intentId) => startClaim(client, intentId),
    outcome: (intentId, waitMs) =>
      client.withDeadline(Date.now() + waitMs, async () => {
        // Not one update-with-start: of a run that ended, the server would answer the old outcome and start nothing.
        await startClaim(client, intentId);
        const handle = client.workflow.getHandle(claimWorkflowId(intentId));
        return handle.executeUpdate(claimOutcomeUpdate, { updateId: CLAIM_OUTCOME_UPDATE_ID });
      }),
  };
}
