import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { ClaimRefusal, ClaimState } from '../../domain/claim/state.ts';

/** Registered name of the workflow of one claim intent. */
export const CLAIM_WORKFLOW = 'claim';

/** Id of the workflow of a claim intent. */
export function claimWorkflowId(intentId: string): string {
  return `claim-${intentId}`;
}

/** Input of the claim workflow. Everything else lies in the database under this id. */
export interface ClaimInput {
  readonly intentId: string;
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
export const CLAIM_OUTCOME_UPDATE = 'outcome';
export const CLAIM_OUTCOME_UPDATE_ID = 'outcome';
export const claimOutcomeUpdate = defineUpdate<ClaimVerdict>(CLAIM_OUTCOME_UPDATE);

/** Where the claim stands, for people and tools. */
export const claimStateQuery = defineQuery<ClaimState>('state');

/** Registered name of the workflow that makes a launch's durable nonce. */
export const CLAIM_NONCE_WORKFLOW = 'claimNonce';

/** Id of the workflow that makes the nonce of a mint. */
export function claimNonceWorkflowId(mint: string): string {
  return `claim-nonce-${mint}`;
}

/** Waits until a nonce account is confirmed; answers its address, base58. */
export const NONCE_READY_UPDATE = 'ready';
export const NONCE_READY_UPDATE_ID = 'ready';
export const nonceReadyUpdate = defineUpdate<string>(NONCE_READY_UPDATE);

/** Registered name of the claims' janitor. */
export const CLAIM_JANITOR_WORKFLOW = 'claimJanitor';

/** Id of its schedule. */
export const CLAIM_JANITOR_SCHEDULE = 'claim-janitor';
