import type { Purpose } from '../purpose.ts';

/** Purpose and memo of the transaction that claims the fees of one intent. */
export function claimPurpose(intentId: string): Purpose {
  return `claim/${intentId}` as Purpose;
}

/** Purpose of the transaction that advances the nonce of a claim that does not land, so that it never can. */
export function claimKillPurpose(intentId: string): Purpose {
  return `${claimPurpose(intentId)}/kill` as Purpose;
}

/** Purpose of the transaction that makes a launch's durable nonce account (base58). */
export function noncePurpose(nonceAccount: string): Purpose {
  return `nonce/${nonceAccount}` as Purpose;
}
