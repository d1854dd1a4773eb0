import type { ClaimIntent } from '../../../db/claim/claims.ts';

export function claimSummary(intent: ClaimIntent) {
  const { intentId, state, refusal, reason, mint, wallet, signature, slot, nonceAccount, nonce, baseRaw, quoteRaw } =
    intent;
  const { holdsFeeKey, issuedAt, expiresAt, submittedAt, relayedAt, settledAt, updatedAt } = intent;
  return {
    intentId,
    state,
    refusal,
    reason,
    mint,
    wallet,
    signature,
    slot,
    nonceAccount,
    nonce,
    baseRaw,
    quoteRaw,
    holdsFeeKey,
    issuedAt,
    expiresAt,
    submittedAt,
    relayedAt,
    settledAt,
    updatedAt,
  };
}
