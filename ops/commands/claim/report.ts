import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import * as claimNonces from '../../../db/claim/claim-nonces.ts';
import * as claims from '../../../db/claim/claims.ts';
import type { ClaimIntent } from '../../../db/claim/claims.ts';
import type { Db } from '../../../db/connect.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import { claimKillPurpose, claimPurpose, noncePurpose } from '../../../domain/claim/purpose.ts';
import { CLAIM_MEANING } from '../../../domain/claim/state.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { claimNonceWorkflowId, claimWorkflowId } from '../../../workflows/messages/claim.ts';
import type { TemporalAddress } from '../../service-addresses.ts';
import { claimAdvice } from './advice.ts';
import { claimSummary } from './summary.ts';
import { workflowLink } from '../../workflow-link.ts';

/** Everything that is known of one claim, as `claims show --json` prints it. */
export type ClaimReport = Awaited<ReturnType<typeof readClaimReport>>;

/** Everything that is known of the claims of one launch. */
export type MintClaimsReport = Awaited<ReturnType<typeof readMintClaims>>;

/** Gathers what the database knows of a claim. Nothing else is asked, so that it works while chain and Temporal are away. */
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

/** The same for a launch: its nonce account with the transaction that made it, and its newest claims. */
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
