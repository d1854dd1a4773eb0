import type { Client } from '@temporalio/client';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { ClaimRefusal, ClaimState } from '../../domain/claim/state.ts';
import { IF_ABSENT, type Round } from '../start.ts';
import { LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** The round that gives every open claim a workflow. */
export const CLAIM_JANITOR_ROUND: Round = {
  scheduleId: 'claim-janitor',
  workflowType: 'claimJanitor',
  taskQueue: ROUNDS_TASK_QUEUE,
};

/** Id of the workflow of a claim intent. */
export function claimWorkflowId(intentId: string): string {
  return `claim-${intentId}`;
}

/** Input of the claim workflow. Everything else lies in the database under this id. */
export interface ClaimInput {
  readonly intentId: string;
}

/**
 * Starts the workflow of a claim intent where none runs. Also after one that ended: the row alone says whether something is
 * left to do; somebody may have terminated the run, or the database was set back.
 */
export async function startClaim(client: Client, intentId: string): Promise<void> {
  const args: [ClaimInput] = [{ intentId }];
  const start = { ...IF_ABSENT, workflowId: claimWorkflowId(intentId), taskQueue: LAUNCHES_TASK_QUEUE, args };
  await client.workflow.start('claim', start);
}

/** How a claim ended, as far as its creator is concerned. */
export type ClaimVerdict =
  | { readonly status: 'relayed'; readonly signature: string }
  | { readonly status: 'not_landed'; readonly signature: string; readonly reason: string }
  | { readonly status: 'refused'; readonly refusal: ClaimRefusal; readonly reason: string }
  | { readonly status: 'expired' };

/**
 * Says that the creator's signature is in the database, and waits for the verdict. Every caller uses the same update id,
 * so that many callers share one wait.
 */
export const claimOutcomeUpdate = defineUpdate<ClaimVerdict>('outcome');
export const CLAIM_OUTCOME_UPDATE_ID = 'outcome';

/** Tells the workflow of a claim, which may be waiting for its timer, that the claim was submitted; starts it where none runs. */
export async function wakeClaim(client: Client, intentId: string): Promise<void> {
  await startClaim(client, intentId);
  const told = { updateId: CLAIM_OUTCOME_UPDATE_ID, waitForStage: 'ACCEPTED' } as const;
  await client.workflow.getHandle(claimWorkflowId(intentId)).startUpdate(claimOutcomeUpdate, told);
}

/** Where the claim stands, for people and tools. */
export const claimStateQuery = defineQuery<ClaimState>('state');

/** Registered name of the workflow that makes a launch's durable nonce. */
export const CLAIM_NONCE_WORKFLOW = 'claimNonce';

/** Id of the workflow that makes the nonce of a mint. */
export function claimNonceWorkflowId(mint: string): string {
  return `claim-nonce-${mint}`;
}

/** Input of the workflow that makes a nonce. */
export interface ClaimNonceInput {
  readonly mint: string;
}

/** How the workflow of a nonce is started. Also after it ended: a fork may have taken the account back. */
export function claimNonceStart(mint: string) {
  const args: [ClaimNonceInput] = [{ mint }];
  return { ...IF_ABSENT, workflowId: claimNonceWorkflowId(mint), taskQueue: LAUNCHES_TASK_QUEUE, args };
}

/** Waits until a nonce account is confirmed; answers its address, base58. */
export const nonceReadyUpdate = defineUpdate<string>('ready');
export const NONCE_READY_UPDATE_ID = 'ready';
