import { ApplicationFailure } from '@temporalio/common';
import * as claims from '../../db/claim/claims.ts';
import type { ClaimIntent, TimedClaimIntent } from '../../db/claim/claims.ts';
import type { Db } from '../../db/connect.ts';
import type { ClaimRefusal, ClaimState } from '../../domain/claim/state.ts';

/** Public: they stay in Temporal's history. */
export interface ClaimFacts {
  readonly state: ClaimState;
  readonly mint: string;
  readonly wallet: string;
  readonly nonceAccount: string;
  /** Null until the creator has signed. */
  readonly signature: string | null;
  readonly refusal: ClaimRefusal | null;
  readonly reason: string | null;
  /** When issued, raw units as decimal strings. */
  readonly baseRaw: string;
  readonly quoteRaw: string;
  /** Until it expires, by the database's clock; 0 after that and in later states. */
  readonly msLeft: number;
}

/** Throws a non-retryable failure if the claim does not exist. */
export async function readClaim(db: Db, intentId: string): Promise<ClaimIntent> {
  return (await claims.byId(db, intentId)) ?? unknownClaim(intentId);
}

/** Books it as expired first if its time is over. */
export async function readOpenClaim(db: Db, intentId: string): Promise<TimedClaimIntent> {
  return (await claims.expireIfDue(db, intentId)) ?? unknownClaim(intentId);
}

/**
 * A workflow starts after its row is committed: the database was restored, or the launch withdrawn. Retries cannot
 * bring the row back; if a restore does, the janitor starts the workflow again.
 */
function unknownClaim(intentId: string): never {
  throw ApplicationFailure.nonRetryable(`claim intent ${intentId} is not in the database`, 'UnknownClaim');
}

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
