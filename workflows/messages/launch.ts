import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { LaunchState } from '../../domain/launch-state.ts';

/** Registered name of the launch workflow. */
export const LAUNCH_WORKFLOW = 'launch';

/** Task queue of everything a creator waits for. */
export const LAUNCHES_TASK_QUEUE = 'launches';

/** One quote becomes at most one launch: its id is the workflow's id, whatever signature arrives. */
export function launchWorkflowId(quoteId: string): string {
  return `launch-${quoteId}`;
}

/** Input of the launch workflow. Everything else lies in the database under this id. */
export interface LaunchInput {
  readonly quoteId: string;
}

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

/** What an operator decides about a launch that is parked in `needs_recovery`. */
export interface Resolution {
  readonly action: 'resume';
  /** Why, in the operator's words; audited. */
  readonly note: string;
}

/** An operator's decision, from the Temporal UI or the CLI. */
export const resolveUpdate = defineUpdate<void, [Resolution]>('resolve');
