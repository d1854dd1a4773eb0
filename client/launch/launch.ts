import type { Api } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { askPatiently, type Patience } from '../progress/follow.ts';
import { finishFresh, finishKept, type FollowProgress, type SignedWork } from '../progress/finish.ts';
import { loadKept } from '../progress/kept.ts';
import { memoryStore, type Store } from '../progress/store.ts';
import type { Signer } from '../signers/signer.ts';
import { signIssued } from '../solana/sign-issued.ts';
import { waitUntilDead } from './alive.ts';
import { checkPayment } from './check-payment.ts';
import type { LaunchLimits, LaunchQuote, LaunchWish } from './terms.ts';
import { followLaunch } from './follow-launch.ts';
import type { LaunchOutcome } from './launch-outcome.ts';
import { isSameWish, SIGNED_LAUNCH, type SignedLaunch } from './signed-launch.ts';

export type LaunchProgress =
  | { readonly step: 'prepared'; readonly quote: LaunchQuote }
  | { readonly step: 'signed' | 'resumed'; readonly launch: SignedLaunch }
  | FollowProgress<LaunchOutcome>;

const LAUNCH: SignedWork<SignedLaunch, LaunchOutcome> = {
  follow: followLaunch,
  settled: ['completed'],
  afterUnpaid: { statuses: ['not_charged', 'refunded'], keep: (signed) => ({ ...signed, isTold: true }) },
};

export interface LaunchOptions extends LaunchLimits, Patience {
  readonly api: Api;
  readonly signer: Signer;
  /** Its creator is the signer's wallet. */
  readonly token: Omit<LaunchWish, 'creatorWallet'>;
  /**
   * Keeps the signed launch while its outcome is open: the same call continues it after a crash instead of paying
   * again. One store per launch. Default: in memory.
   */
  readonly store?: Store;
  /** Your own: a payment called not charged must not be on the chain there. Default: no such check. */
  readonly rpcUrl?: string;
  /** Gets the checked price before anything is signed. */
  readonly approve?: (quote: LaunchQuote) => boolean | Promise<boolean>;
  readonly onProgress?: (progress: LaunchProgress) => void | Promise<void>;
}

/**
 * Gets a quote, checks the payment, has it signed once, submits it, follows it to an outcome. A payment signed before
 * with the same store, and reported as not charged, can land until its blockhash expires: it waits for that, at most 90
 * s, and asks again before it signs another. Rejects with a RefusedError if the payment differs from the quote, and
 * with an ApiError.
 */
export async function launch(options: LaunchOptions): Promise<LaunchOutcome> {
  const { store = memoryStore(), signer, onProgress } = options;
  const wish: LaunchWish = { ...options.token, creatorWallet: signer.address };
  const kept = await loadKept(store, SIGNED_LAUNCH);
  const before = kept && (await endOf(options, store, kept, wish));
  if (before) return before;
  const quote = await prepare(options, wish);
  const message = checkPayment(quote, wish, options);
  const issuedAt = Date.now();
  await onProgress?.({ step: 'prepared', quote });
  if (options.approve && !(await options.approve(quote))) return { status: 'declined', quote };
  const { signature, wire } = await signIssued(signer, message, options.maxNetworkFeeLamports);
  const { quoteId, mint, signedQuote } = quote;
  const signed = { wish, quoteId, mint, paymentSignature: signature, signedQuote, signedTransaction: wire, issuedAt };
  await store.save(JSON.stringify(signed));
  await onProgress?.({ step: 'signed', launch: signed });
  return finishFresh(LAUNCH, { ...options, store }, signed);
}

export interface ResumeLaunchOptions extends Patience {
  readonly api: Api;
  readonly store: Store;
  readonly rpcUrl?: string;
  readonly onProgress?: LaunchOptions['onProgress'];
}

/** Resumes a launch of any token; signs nothing. Null if nothing is stored, or its outcome was reported. */
export async function resumeLaunch(options: ResumeLaunchOptions): Promise<LaunchOutcome | null> {
  const kept = await loadKept(options.store, SIGNED_LAUNCH);
  if (kept?.isTold === true) return null;
  return kept && finishKept(LAUNCH, options, kept, { step: 'resumed', launch: kept });
}

async function prepare(options: LaunchOptions, wish: LaunchWish): Promise<LaunchQuote> {
  const { api, signal, maxLamports } = options;
  // The platform seals it, so that its worker signs for no more either. A larger one bounds nothing.
  const isExact = maxLamports > 0n && maxLamports <= BigInt(Number.MAX_SAFE_INTEGER);
  const body = isExact ? { ...wish, maxLamports: Number(maxLamports) } : wish;
  return askPatiently(() => api.ask('POST /launches/prepare', { body, ...(signal && { signal }) }), options);
}

/** Null if it can no longer land: another payment may be signed. */
async function endOf(
  options: LaunchOptions,
  store: Store,
  kept: SignedLaunch,
  wish: LaunchWish,
): Promise<LaunchOutcome | null> {
  if (kept.isTold !== true) return resume(options, store, kept, wish);
  await waitUntilDead(kept, { ...options, onWaiting: (because) => options.onProgress?.({ step: 'waiting', because }) });
  const outcome = await lastWord(options, kept);
  if (outcome === null || UNPAID.includes(outcome.status)) {
    await store.clear();
    return null;
  }
  if (outcome.status === 'completed') await store.clear();
  return outcome;
}

/** Outcomes without a net charge. */
const UNPAID: readonly LaunchOutcome['status'][] = ['not_charged', 'refunded'];

/** Asks about a payment that can no longer land; null if the platform rejects it as malformed. */
async function lastWord(options: LaunchOptions, kept: SignedLaunch): Promise<LaunchOutcome | null> {
  try {
    return await followLaunch(options, kept);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return null;
    throw error;
  }
}

async function resume(options: LaunchOptions, store: Store, kept: SignedLaunch, wish: LaunchWish) {
  if (!isSameWish(kept.wish, wish)) {
    throw new Error(
      `the store keeps an unfinished launch of ${kept.wish.name} (${kept.paymentSignature}); finish that first`,
    );
  }
  return finishKept(LAUNCH, { ...options, store }, kept, { step: 'resumed', launch: kept });
}
