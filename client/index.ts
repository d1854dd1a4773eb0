export { type Answer, type Api, type ApiOptions, createApi, type OperationName, type Request } from './http/api.ts';
export { ApiError, type ErrorCode, NoAnswerError } from './http/api-error.ts';
export { eachPage } from './http/pages.ts';
export type { Operations } from './generated/operations.ts';
export {
  launch,
  type LaunchOptions,
  type LaunchProgress,
  resumeLaunch,
  type ResumeLaunchOptions,
} from './launch/launch.ts';
export { type Earnings, earningsOf } from './launch/earnings.ts';
export { checkPayment } from './launch/check-payment.ts';
export type { LaunchLimits, LaunchQuote, LaunchWish } from './launch/terms.ts';
export { followLaunch } from './launch/follow-launch.ts';
export type { LaunchOutcome } from './launch/launch-outcome.ts';
export type { SignedLaunch } from './launch/signed-launch.ts';
export { claim, type ClaimOptions, type ClaimProgress, resumeClaim, type ResumeClaimOptions } from './claim/claim.ts';
export { claimAll, type ClaimAllOptions, type ClaimOfAll, type Position } from './claim/claim-all.ts';
export { type ClaimEnd, claimMany, type ClaimManyOptions, type ClaimPage } from './claim/claim-many.ts';
export { type EventPage, type EventsOptions, readEvents, type SlipwayEvent } from './events/events.ts';
export { type ReceivedWebhook, verifyWebhook } from './events/verify-webhook.ts';
export { checkClaim } from './claim/check-claim.ts';
export type { ClaimContext, ClaimQuote, Collection, CollectionContext, Fees } from './claim/claim-context.ts';
export { followClaim } from './claim/follow-claim.ts';
export type { ClaimOutcome } from './claim/claim-outcome.ts';
export type { SignedClaim } from './claim/signed-claim.ts';
export { memoryStore, type Store, webStore } from './progress/store.ts';
export { UnreadableStoreError } from './progress/kept.ts';
export type { Patience } from './progress/follow.ts';
export type { Signer } from './signers/signer.ts';
export { keypairSigner, type KeypairLike } from './signers/keypair-signer.ts';
export { type StandardAccount, type StandardWallet, walletStandardSigner } from './signers/wallet-standard-signer.ts';
export { RefusedError } from './solana/refusal.ts';
