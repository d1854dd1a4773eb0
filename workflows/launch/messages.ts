import type { Client } from '@temporalio/client';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Resolution } from '../../domain/launch/operator-decision.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { IF_ABSENT, type Round } from '../start.ts';
import { LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** Round that looks after open launches and undelivered airdrops. */
export const LAUNCH_JANITOR_ROUND: Round = {
  scheduleId: 'launch-janitor',
  workflowType: 'launchJanitor',
  taskQueue: ROUNDS_TASK_QUEUE,
};

export const LAUNCH_WALLETS_ROUND: Round = {
  scheduleId: 'launch-wallets',
  workflowType: 'emptyLaunchWallets',
  taskQueue: ROUNDS_TASK_QUEUE,
};

export const LAUNCH_WORKFLOW = 'launch';

/** Names the workflow after the quote: one quote is at most one launch, whatever signature arrives. */
export function launchWorkflowId(quoteId: string): string {
  return `launch-${quoteId}`;
}

/** Other data is in the database. */
export interface LaunchInput {
  readonly quoteId: string;
}

/** Text at the top of the Temporal UI's page. */
const SUMMARY =
  'Token launch. In LaunchState needs_recovery it waits for an operator: see Current Details under User Metadata';

const DETAILS = `One launch, from the creator's signed payment to a token that no fork can remove.

**Current Details** say where it stands. In \`needs_recovery\` they also say what landed and what can be decided; the decision is
sent with *More Actions → Send an Update → resolve*.

**Cancelling or terminating decides nothing**: within a minute a new run goes on from the database.`;

export function launchStart(quoteId: string) {
  const args: [LaunchInput] = [{ quoteId }];
  return {
    ...IF_ABSENT,
    workflowId: launchWorkflowId(quoteId),
    taskQueue: LAUNCHES_TASK_QUEUE,
    args,
    staticSummary: SUMMARY,
    staticDetails: DETAILS,
  };
}

/** Starts the workflow; does nothing if it runs. */
export async function startLaunch(client: Client, quoteId: string): Promise<void> {
  await client.workflow.start(LAUNCH_WORKFLOW, launchStart(quoteId));
}

/** Finds launches that wait for an operator; a cancelled or terminated run waits for nothing. */
export const PARKED_QUERY = 'LaunchState="needs_recovery" AND ExecutionStatus="Running"';

export type LaunchVerdict =
  | { readonly status: 'completed'; readonly mint: string; readonly paymentSignature: string }
  | { readonly status: 'not_landed' | 'refunded'; readonly reason: string }
  | { readonly status: 'needs_recovery'; readonly reason: string };

/** Waits for the verdict. One update id: callers share one wait. */
export const outcomeUpdate = defineUpdate<LaunchVerdict>('outcome');
export const OUTCOME_UPDATE_ID = 'outcome';

export const stateQuery = defineQuery<LaunchState>('state');

export const resolveUpdate = defineUpdate<void, [Resolution]>('resolve');
