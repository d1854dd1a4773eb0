import type { Client } from '@temporalio/client';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Resolution } from '../../domain/launch/operator-decision.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { IF_ABSENT, type Round } from '../start.ts';
import { LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** The round that gives every open launch, and every airdrop that is not delivered, a workflow. */
export const LAUNCH_JANITOR_ROUND: Round = {
  scheduleId: 'launch-janitor',
  workflowType: 'launchJanitor',
  taskQueue: ROUNDS_TASK_QUEUE,
};

/** The round that empties the wallets of final launches. */
export const LAUNCH_WALLETS_ROUND: Round = {
  scheduleId: 'launch-wallets',
  workflowType: 'emptyLaunchWallets',
  taskQueue: ROUNDS_TASK_QUEUE,
};

/** Registered name of the launch workflow. */
export const LAUNCH_WORKFLOW = 'launch';

/** One quote becomes at most one launch: its id is the workflow's id, whatever signature arrives. */
export function launchWorkflowId(quoteId: string): string {
  return `launch-${quoteId}`;
}

/** Input of the launch workflow. Everything else lies in the database under this id. */
export interface LaunchInput {
  readonly quoteId: string;
}

/** Shown at the top of the workflow's page in the Temporal UI. */
const SUMMARY =
  'Token launch. In LaunchState needs_recovery it waits for an operator: see Current Details under User Metadata';

const DETAILS = `One launch, from the creator's signed payment to a token that no fork can remove.

**Current Details** say where it stands. In \`needs_recovery\` they also say what landed and what can be decided; the decision is
sent with *More Actions → Send an Update → resolve*.

**Cancelling or terminating decides nothing**: within a minute a new run goes on from the database.`;

/** How the workflow of a launch is started, by whomever. */
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

/** Starts the workflow of a launch where none runs. */
export async function startLaunch(client: Client, quoteId: string): Promise<void> {
  await client.workflow.start(LAUNCH_WORKFLOW, launchStart(quoteId));
}

/** Finds launches that wait for an operator: a run that was cancelled or terminated waits for nobody. */
export const PARKED_QUERY = 'LaunchState="needs_recovery" AND ExecutionStatus="Running"';

/** How a launch ended, as far as its creator is concerned. */
export type LaunchVerdict =
  | { readonly status: 'completed'; readonly mint: string; readonly paymentSignature: string }
  | { readonly status: 'not_landed' | 'refunded'; readonly reason: string }
  | { readonly status: 'needs_recovery'; readonly reason: string };

/** Waits for the verdict. Every caller uses the same update id, so that many callers share one wait. */
export const outcomeUpdate = defineUpdate<LaunchVerdict>('outcome');
export const OUTCOME_UPDATE_ID = 'outcome';

/** Where the launch stands, for people and tools. */
export const stateQuery = defineQuery<LaunchState>('state');

/** An operator's decision, from the Temporal UI or the CLI. */
export const resolveUpdate = defineUpdate<void, [Resolution]>('resolve');
