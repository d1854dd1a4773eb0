import type { LaunchRecord } from '../../../db/launch/launch-records.ts';

/** The columns of a launch that every command shows, as its JSON has them. */
export function launchSummary(launch: LaunchRecord) {
  const { quoteId, state, reason, blockedReason, name, symbol, mode, mint, creator, quoteMint } = launch;
  const { paymentLamports, refundSignature, slot, submittedAt, completedAt, finalizedAt, emptiedAt, updatedAt } =
    launch;
  return {
    quoteId,
    state,
    reason,
    blockedReason,
    name,
    symbol,
    mode,
    mint,
    creator,
    quoteMint,
    paymentLamports,
    /** The payment that landed or, while none did, the one that was submitted. */
    paymentSignature: launch.paymentSignature ?? launch.submittedSignature,
    refundSignature,
    slot,
    submittedAt,
    completedAt,
    finalizedAt,
    emptiedAt,
    updatedAt,
  };
}
