import { defineSearchAttributeKey } from '@temporalio/common';

export const launchStateAttribute = defineSearchAttributeKey('LaunchState', 'KEYWORD');

export const blockedReasonAttribute = defineSearchAttributeKey('BlockedReason', 'KEYWORD');

/** Landed, base58. */
export const paymentSignatureAttribute = defineSearchAttributeKey('PaymentSignature', 'KEYWORD');

/** base58 */
export const mintAttribute = defineSearchAttributeKey('Mint', 'KEYWORD');

/** base58. */
export const creatorAttribute = defineSearchAttributeKey('Creator', 'KEYWORD');

export const claimStateAttribute = defineSearchAttributeKey('ClaimState', 'KEYWORD');

/** Search attributes; they are registered before the worker starts. */
export const SEARCH_ATTRIBUTES = [
  launchStateAttribute,
  blockedReasonAttribute,
  paymentSignatureAttribute,
  mintAttribute,
  creatorAttribute,
  claimStateAttribute,
] as const;
