import type { Api } from '../http/api.ts';
import { askPatiently, type Patience } from '../progress/follow.ts';
import { finishFresh, finishKept, type FollowProgress, type SignedWork } from '../progress/finish.ts';
import { loadKept } from '../progress/kept.ts';
import { memoryStore, type Store } from '../progress/store.ts';
import type { Signer } from '../signers/signer.ts';
import { mustBeSameButAssertions } from '../solana/same-message.ts';
import { signIssued } from '../solana/sign-issued.ts';
import { checkPayment, type LaunchLimits, type LaunchQuote, type LaunchWish } from './check-payment.ts';
import { followLaunch } from './follow-launch.ts';
import type { LaunchOutcome } from './launch-outcome.ts';
import { isSameWish, SIGNED_LAUNCH, type SignedLaunch } from './signed-launch.ts';

/** Where a launch stands. */
export type LaunchProgress =
  | { readonly step: 'prepared'; readonly quote: LaunchQuote }
  | { readonly step: 'signed' | 'resumed'; readonly launch: SignedLaunch }
  | FollowProgress<LaunchOutcome>;

/** How a signed launch comes to its end. */
const LAUNCH: SignedWork<SignedLaunch, LaunchOutcome> = {
  follow: followLaunch,
  settled: ['completed', 'not_charged', 'refunded'],
};

/** What a launch is made with. */
export interface LaunchOptions extends LaunchLimits, Patience {
  readonly api: Api;
  readonly signer: Signer;
  /** The token; its creator is the signer's wallet. */
  readonly token: Omit<LaunchWish, 'creatorWallet'>;
  /**
   * Keeps the signed launch while its outcome is open, so that the same call after a crash goes on with it instead of paying again.
   * One store for one launch. Default: in memory.
   */
  readonly store?: Store;
  /** Asked with the checked price before anything is signed. */
  readonly approve?: (quote: LaunchQuote) => boolean | Promise<boolean>;
  readonly onProgress?: (progress: LaunchProgress) => void | Promise<void>;
}

/**
 * Launches a token: asks for a quote, checks what is to be signed, has it signed, submits it, and follows it to an outcome. It signs
 * once. Rejects with a RefusedError where the payment is not what was quoted, and with an ApiError where the platform refuses.
 */
export async function launch(options: LaunchOptions): Promise<LaunchOutcome> {
  const { store = memoryStore(), signer, onProgress } = options;
  const wish: LaunchWish = { ...options.token, creatorWallet: signer.address };
  const kept = await loadKept(store, SIGNED_LAUNCH);
  if (kept) return resume(options, store, kept, wish);
  const quote = await prepare(options, wish);
  const message = checkPayment(quote, wish, options);
  await onProgress?.({ step: 'prepared', quote });
  if (options.approve && !(await options.approve(quote))) return { status: 'declined', quote };
  const { signature, wire } = await signIssued(signer, message, mustBeSameButAssertions);
  const { quoteId, mint, signedQuote } = quote;
  const signed = { wish, quoteId, mint, paymentSignature: signature, signedQuote, signedTransaction: wire };
  await store.save(JSON.stringify(signed));
  await onProgress?.({ step: 'signed', launch: signed });
  return finishFresh(LAUNCH, { ...options, store }, signed);
}

/** What a signed launch is gone on with: its wallet is not needed any more. */
export interface ResumeLaunchOptions extends Patience {
  readonly api: Api;
  readonly store: Store;
  readonly onProgress?: LaunchOptions['onProgress'];
}

/** Goes on with the launch that a store keeps, whatever it is for, and signs nothing. Null where nothing is kept. */
export async function resumeLaunch(options: ResumeLaunchOptions): Promise<LaunchOutcome | null> {
  const kept = await loadKept(options.store, SIGNED_LAUNCH);
  return kept && finishKept(LAUNCH, options, kept, { step: 'resumed', launch: kept });
}

async function prepare(options: LaunchOptions, wish: LaunchWish): Promise<LaunchQuote> {
  const { api, signal } = options;
  return askPatiently(() => api.ask('POST /launches/prepare', { body: wish, ...(signal && { signal }) }), options);
}

async function resume(options: LaunchOptions, store: Store, kept: SignedLaunch, wish: LaunchWish) {
  if (!isSameWish(kept.wish, wish)) {
    throw new Error(
      `the store keeps an unfinished launch of ${kept.wish.name} (${kept.paymentSignature}); finish that first`,
    );
  }
  return finishKept(LAUNCH, { ...options, store }, kept, { step: 'resumed', launch: kept });
}
