import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Resolution } from '../../domain/launch/resolution.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { LAUNCHES_TASK_QUEUE } from './task-queues.ts';

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

/**
 * How the workflow of a launch is started, by whomever: a running one is kept, and after one that ended, was cancelled or
 * terminated a new one goes on from the state in the database.
 */
export function launchStart(quoteId: string) {
  const args: [LaunchInput] = [{ quoteId }];
  return {
    workflowId: launchWorkflowId(quoteId),
    taskQueue: LAUNCHES_TASK_QUEUE,
    args,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: SUMMARY,
    staticDetails: DETAILS,
  } as const;
}

/** Finds launches that wait for an operator: a run that was cancelled or terminated waits for nobody. */
export const PARKED_QUERY = 'LaunchState="needs_recovery" AND ExecutionStatus="Running"';

/** How a launch ended, as far as its creator is concerned. */
export type LaunchVerdict =
  | { readonly status: 'completed'; readonly mint: string; readonly paymentSignature: string }
  | { readonly status: 'not_landed' | 'refunded'; readonly reason: string }
  | { readonly status: 'needs_recovery'; readonly reason: string };

/** Waits for the verdict. Every caller uses the same update id, so that many callers share one wait. */
export const OUTCOME_UPDATE = 'outcome';
export const OUTCOME_UPDATE_ID = 'outcome';
export const outcomeUpdate = defineUpdate<LaunchVerdict>(OUTCOME_UPDATE);

/** Where the launch stands, for people and tools. */
export const stateQuery = defineQuery<LaunchState>('state');

/** An operator's decision, from the Temporal UI or the CLI. */
export const resolveUpdate = defineUpdate<void, [Resolution]>('resolve');
