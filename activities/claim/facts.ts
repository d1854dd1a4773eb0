import { ApplicationFailure } from '@temporalio/common';
import * as claims from '../../db/claim/claims.ts';
import type { ClaimIntent, TimedClaimIntent } from '../../db/claim/claims.ts';
import type { Db } from '../../db/connect.ts';
import type { ClaimRefusal, ClaimState } from '../../domain/claim/state.ts';

/** What a workflow may know of a claim: public facts only, because all of it stays in Temporal's history. */
export interface ClaimFacts {
  readonly state: ClaimState;
  readonly mint: string;
  readonly wallet: string;
  readonly nonceAccount: string;
  /** Id of the transaction; null while the creator has not signed. */
  readonly signature: string | null;
  readonly refusal: ClaimRefusal | null;
  readonly reason: string | null;
  /** Fees when it was issued, raw units as decimal strings. */
  readonly baseRaw: string;
  readonly quoteRaw: string;
  /** Time until an issued claim expires by the database's clock, in ms; 0 when that time is over, and in all later states. */
  readonly msLeft: number;
}

/** Reads a claim. Throws a failure that ends the workflow when there is none. */
export async function readClaim(db: Db, intentId: string): Promise<ClaimIntent> {
  return (await claims.byId(db, intentId)) ?? unknownClaim(intentId);
}

/** The same, after it was booked as expired if its time is over. */
export async function readOpenClaim(db: Db, intentId: string): Promise<TimedClaimIntent> {
  return (await claims.expireIfDue(db, intentId)) ?? unknownClaim(intentId);
}

/**
 * A workflow starts only after its row was committed, so the database was set back since, or the launch withdrawn. No try
 * brings the row back; where a restore does, the janitor starts the workflow anew.
 */
function unknownClaim(intentId: string): never {
  throw ApplicationFailure.nonRetryable(`claim intent ${intentId} is not in the database`, 'UnknownClaim');
}

/** The claim as its workflow sees it. */
export function factsOf(intent: ClaimIntent, msLeft = 0): ClaimFacts {
  const { state, mint, wallet, nonceAccount, signature, refusal, reason, baseRaw, quoteRaw } = intent;
  return {
    state,
    mint,
    wallet,
    nonceAccount,
    signature,
    refusal,
    reason,
    msLeft,
    baseRaw: baseRaw.toString(),
    quoteRaw: quoteRaw.toString(),
  };
}
