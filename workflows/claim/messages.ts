import type { Client } from '@temporalio/client';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { ClaimRefusal, ClaimState } from '../../domain/claim/state.ts';
import { IF_ABSENT, type Round } from '../start.ts';
import { LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE } from '../task-queues.ts';

export const CLAIM_JANITOR_ROUND: Round = {
  scheduleId: 'claim-janitor',
  workflowType: 'claimJanitor',
  taskQueue: ROUNDS_TASK_QUEUE,
};

export function claimWorkflowId(intentId: string): string {
  return `claim-${intentId}`;
}

/** Other data is in the database. */
export interface ClaimInput {
  readonly intentId: string;
}

/** Starts the claim's workflow if none runs, also after one that ended: the row alone says whether work is left. */
export async function startClaim(client: Client, intentId: string): Promise<void> {
  const args: [ClaimInput] = [{ intentId }];
  const start = { ...IF_ABSENT, workflowId: claimWorkflowId(intentId), taskQueue: LAUNCHES_TASK_QUEUE, args };
  await client.workflow.start('claim', start);
}

export type ClaimVerdict =
  | { readonly status: 'relayed'; readonly signature: string }
  | { readonly status: 'not_landed'; readonly signature: string; readonly reason: string }
  | { readonly status: 'refused'; readonly refusal: ClaimRefusal; readonly reason: string }
  | { readonly status: 'expired' };

/** Waits for the verdict; the signature is in the database. One update id: callers share one wait. */
export const claimOutcomeUpdate = defineUpdate<ClaimVerdict>('outcome');
export const CLAIM_OUTCOME_UPDATE_ID = 'outcome';

/** Wakes the claim, which may wait for its timer. Starts it if none runs. */
export async function wakeClaim(client: Client, intentId: string): Promise<void> {
  await startClaim(client, intentId);
  const told = { updateId: CLAIM_OUTCOME_UPDATE_ID, waitForStage: 'ACCEPTED' } as const;
  await client.workflow.getHandle(claimWorkflowId(intentId)).startUpdate(claimOutcomeUpdate, told);
}

export const claimStateQuery = defineQuery<ClaimState>('state');

export const CLAIM_NONCE_WORKFLOW = 'claimNonce';

export function claimNonceWorkflowId(mint: string): string {
  return `claim-nonce-${mint}`;
}

export interface ClaimNonceInput {
  readonly mint: string;
}

/** Start options of the claim nonce's workflow. It runs again after an end: a fork may have taken the account back. */
export function claimNonceStart(mint: string) {
  const args: [ClaimNonceInput] = [{ mint }];
  return { ...IF_ABSENT, workflowId: claimNonceWorkflowId(mint), taskQueue: LAUNCHES_TASK_QUEUE, args };
}

/** Waits until the nonce account is confirmed; returns its address, base58. */
export const nonceReadyUpdate = defineUpdate<string>('ready');
export const NONCE_READY_UPDATE_ID = 'ready';
