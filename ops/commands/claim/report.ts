import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import * as claimNonces from '../../../db/claim/claim-nonces.ts';
import * as claims from '../../../db/claim/claims.ts';
import type { ClaimIntent } from '../../../db/claim/claims.ts';
import type { Db } from '../../../db/connect.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import { claimKillPurpose, claimPurpose, noncePurpose } from '../../../domain/claim/purpose.ts';
import { CLAIM_MEANING } from '../../../domain/claim/state.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { claimNonceWorkflowId, claimWorkflowId } from '../../../workflows/claim/messages.ts';
import type { TemporalAddress } from '../../service-addresses.ts';
import { claimAdvice } from './advice.ts';
import { claimSummary } from './summary.ts';
import { workflowLink } from '../../workflow-link.ts';

/** Output of `claims show --json`. */
export type ClaimReport = Awaited<ReturnType<typeof readClaimReport>>;

export type MintClaimsReport = Awaited<ReturnType<typeof readMintClaims>>;

/** The database only: chain and Temporal may be away. */
export async function readClaimReport(db: Db, intent: ClaimIntent, temporal: TemporalAddress | undefined) {
  const { intentId, state } = intent;
  return {
    claim: claimSummary(intent),
    meaning: CLAIM_MEANING[state],
    todo: claimAdvice(state),
    transactions: await transactionsOf(db, [claimPurpose(intentId), claimKillPurpose(intentId)]),
    workflow: workflowLink(claimWorkflowId(intentId), temporal),
  };
}

export async function readMintClaims(db: Db, mint: string, limit: number, temporal: TemporalAddress | undefined) {
  const nonce = await claimNonces.byMint(db, mint);
  return {
    mint,
    nonce,
    nonceTransactions: nonce ? await transactionsOf(db, [noncePurpose(nonce.nonceAccount)]) : [],
    nonceWorkflow: workflowLink(claimNonceWorkflowId(mint), temporal),
    claims: (await claims.newest(db, { mint }, limit)).map(claimSummary),
  };
}

async function transactionsOf(db: Db, purposes: readonly Purpose[]) {
  const attempts = await Promise.all(purposes.map((purpose) => chainTransactions.attemptsOf(db, purpose)));
  return attempts.flat().map(transactionFacts);
}

function transactionFacts(row: ChainTransaction) {
  const { purpose, attempt, status, signature, slot, error, signedAt, broadcastAt, landedAt, settledAt } = row;
  return { purpose, attempt, status, signature, slot, error, signedAt, broadcastAt, landedAt, settledAt };
}
