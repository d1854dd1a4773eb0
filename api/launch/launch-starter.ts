import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { type Workflow, WorkflowNotFoundError } from '@temporalio/common';
import {
  LAUNCH_WORKFLOW,
  launchStart,
  launchWorkflowId,
  type LaunchVerdict,
  OUTCOME_UPDATE,
  OUTCOME_UPDATE_ID,
} from '../../workflows/messages/launch.ts';

/** Starts launches and waits for how they end. */
export interface LaunchStarter {
  /**
   * Starts the workflow of a launch, or finds the one that runs, and waits for its verdict for at most `waitMs`.
   * Rejects when Temporal cannot be reached, when the wait is over, or when the workflow ended before: the launch's row
   * in the database knows more then.
   */
  outcome(quoteId: string, waitMs: number): Promise<LaunchVerdict>;
  /** Whether a launch of this quote was ever started, as far as Temporal remembers. Rejects when it cannot be asked. */
  wasStarted(quoteId: string): Promise<boolean>;
}

/** Longest wait for an answer about a workflow, in ms. */
const ASK_MS = 5_000;

/** Every caller uses one update id: however many submit the same launch at once, there is one update and one answer. */
export function createLaunchStarter(client: Client): LaunchStarter {
  return {
    outcome: (quoteId, waitMs) =>
      client.withDeadline(Date.now() + waitMs, () =>
        client.workflow.executeUpdateWithStart<Workflow, LaunchVerdict, []>(OUTCOME_UPDATE, {
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
