import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import {
  LAUNCH_WORKFLOW,
  launchStart,
  launchWorkflowId,
  type LaunchVerdict,
  OUTCOME_UPDATE_ID,
  outcomeUpdate,
} from '../../workflows/launch/messages.ts';

export interface LaunchStarter {
  /**
   * Starts or finds the workflow, waits up to `waitMs` for its verdict. Rejects when Temporal is unreachable, the wait
   * ends, or the workflow had ended: the database row then knows more.
   */
  outcome(quoteId: string, waitMs: number): Promise<LaunchVerdict>;
  /** True as far as Temporal remembers. Rejects when it is unreachable. */
  wasStarted(quoteId: string): Promise<boolean>;
}

/** ms. */
const ASK_MS = 5_000;

/** Uses one update id: simultaneous submits get one update and response. */
export function createLaunchStarter(client: Client): LaunchStarter {
  return {
    outcome: (quoteId, waitMs) =>
      client.withDeadline(Date.now() + waitMs, () =>
        client.workflow.executeUpdateWithStart(outcomeUpdate, {
          updateId: OUTCOME_UPDATE_ID,
          startWorkflowOperation: new WithStartWorkflowOperation(LAUNCH_WORKFLOW, launchStart(quoteId)),
        }),
      ),
    wasStarted: (quoteId) =>
      client.withDeadline(Date.now() + ASK_MS, async () => {
        try {
          await client.workflow.getHandle(launchWorkflowId(quoteId)).describe();
          return true;
        } catch (error) {
          if (error instanceof WorkflowNotFoundError) return false;
          throw error;
        }
      }),
  };
}
