import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Resolution } from '../../domain/launch-resolution.ts';
import type { LaunchState } from '../../domain/launch-state.ts';

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
