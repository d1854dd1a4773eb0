import { type ClaimIntent, createClaimRepository } from '../../db/claims.ts';
import type { Db } from '../../db/connect.ts';
import type { ClaimRefusal, ClaimState } from '../../domain/claim-state.ts';

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
  /** Time until it expires, in ms; 0 when that time is over. */
  readonly msLeft: number;
}

/** Reads a claim. Throws when there is none: a workflow starts only after its row was committed. */
export async function readClaim(db: Db, intentId: string): Promise<ClaimIntent> {
  const intent = await createClaimRepository(db).byId(intentId);
  if (!intent) throw new Error(`claim intent ${intentId} is not in the database`);
  return intent;
}

/** The claim as its workflow sees it. */
export function factsOf(intent: ClaimIntent, now: Date): ClaimFacts {
  const { state, mint, wallet, nonceAccount, signature, refusal, reason, baseRaw, quoteRaw, expiresAt } = intent;
  return {
    ...{ state, mint, wallet, nonceAccount, signature, refusal, reason },
    baseRaw: baseRaw.toString(),
    quoteRaw: quoteRaw.toString(),
    msLeft: Math.max(0, expiresAt.getTime() - now.getTime()),
  };
}
