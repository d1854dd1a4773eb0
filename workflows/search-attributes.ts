import { defineSearchAttributeKey } from '@temporalio/common';

/** State of the launch, one of LAUNCH_STATES. */
export const launchStateAttribute = defineSearchAttributeKey('LaunchState', 'KEYWORD');

/** Why a launch waits for an operator. */
export const blockedReasonAttribute = defineSearchAttributeKey('BlockedReason', 'KEYWORD');

/** Signature of the payment that landed, base58. */
export const paymentSignatureAttribute = defineSearchAttributeKey('PaymentSignature', 'KEYWORD');

/** Mint of the launched token, base58. */
export const mintAttribute = defineSearchAttributeKey('Mint', 'KEYWORD');

/** Wallet of the creator, base58. */
export const creatorAttribute = defineSearchAttributeKey('Creator', 'KEYWORD');

/** State of a claim of fees, one of CLAIM_STATES; the wallet that claims is the `Creator`. */
export const claimStateAttribute = defineSearchAttributeKey('ClaimState', 'KEYWORD');

/** Every search attribute that a workflow sets; the worker registers them before it starts. */
export const SEARCH_ATTRIBUTES = [
  launchStateAttribute,
  blockedReasonAttribute,
  paymentSignatureAttribute,
  mintAttribute,
  creatorAttribute,
  claimStateAttribute,
] as const;
