import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { FastifyRequest } from 'fastify';
import { endTurn } from '../plugins/turns.ts';
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

/** Every method rejects when Temporal is unreachable or the wait ends. */
export interface ClaimStarter {
  /** Creates the launch's nonce, until it is confirmed. */
  nonceReady(mint: string, waitMs: number): Promise<void>;
  start(intentId: string): Promise<void>;
  outcome(intentId: string, waitMs: number): Promise<ClaimVerdict>;
}

/** Uses one update id: simultaneous submits of a claim get one update and response. */
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
        // Not update-with-start: for an ended run the server would return the old outcome and start nothing.
        await startClaim(client, intentId);
        const handle = client.workflow.getHandle(claimWorkflowId(intentId));
        return handle.executeUpdate(claimOutcomeUpdate, { updateId: CLAIM_OUTCOME_UPDATE_ID });
      }),
  };
}

/** A request that waits for its launch's nonce has no turn from then on. */
export function withoutTurn(starter: ClaimStarter, request: FastifyRequest): ClaimStarter {
  return {
    ...starter,
    nonceReady: (mint, waitMs) => {
      endTurn(request);
      return starter.nonceReady(mint, waitMs);
    },
  };
}
