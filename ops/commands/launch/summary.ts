import type { LaunchRecord } from '../../../db/launch/launch-records.ts';

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
