import type { Api } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { askPatiently, type Patience } from '../progress/follow.ts';
import { finishFresh, finishKept, type FollowProgress, type SignedWork } from '../progress/finish.ts';
import { loadKept } from '../progress/kept.ts';
import { memoryStore, type Store } from '../progress/store.ts';
import type { Signer } from '../signers/signer.ts';
import { mustBeSame } from '../solana/same-message.ts';
import { signIssued } from '../solana/sign-issued.ts';
import { checkClaim } from './check-claim.ts';
import type { ClaimQuote, Fees } from './claim-ground.ts';
import type { ClaimOutcome } from './claim-outcome.ts';
import { followClaim } from './follow-claim.ts';
import { SIGNED_CLAIM, type SignedClaim } from './signed-claim.ts';

/** Where a claim stands. */
export type ClaimProgress =
  | { readonly step: 'prepared'; readonly quote: ClaimQuote }
  | { readonly step: 'signed' | 'resumed'; readonly claim: SignedClaim }
  | FollowProgress<ClaimOutcome>;

/** How a signed claim comes to its end. */
const CLAIM: SignedWork<SignedClaim, ClaimOutcome> = {
  follow: followClaim,
  settled: ['paid', 'not_paid'],
};

/** What a claim is made with. */
export interface ClaimOptions extends Patience {
  readonly api: Api;
  /** The holder of the launch's Fee Key. */
  readonly signer: Signer;
  /** The launched token. */
  readonly mint: string;
  /** Keeps the signed claim while its outcome is open, so that the same call after a crash goes on with it. Default: in memory. */
  readonly store?: Store;
  /** Lamports of network fee at most; default 200,000. */
  readonly maxNetworkFeeLamports?: bigint;
  /** Whether the exchange may be the local stand-in, whose pools are keys. Default: where the API is on this machine. */
  readonly allowsStandIn?: boolean;
  /** Asked with the checked amounts before anything is signed. */
  readonly approve?: (quote: ClaimQuote) => boolean | Promise<boolean>;
  readonly onProgress?: (progress: ClaimProgress) => void | Promise<void>;
}

/**
 * Claims a creator's fees: asks what there is, checks what is to be signed, has it signed, submits it, and follows it to an outcome.
 * Rejects with a RefusedError where the claim is not what was announced, and with an ApiError where the platform refuses.
 */
export async function claim(options: ClaimOptions): Promise<ClaimOutcome> {
  const { api, mint, signer, store = memoryStore(), onProgress } = options;
  const kept = await loadKept(store, SIGNED_CLAIM);
  if (kept) return resume(options, store, kept);
  const fees = await askPatiently(() => api.ask('GET /tokens/{mint}/fees', { path: { mint } }), options);
  const end = endBefore(fees, signer.address);
  if (end) return end;
  const quote = await prepare(options);
  if ('status' in quote) return quote;
  const { maxNetworkFeeLamports, allowsStandIn = isLocal(api.url) } = options;
  const limits = maxNetworkFeeLamports === undefined ? {} : { maxNetworkFeeLamports };
  const message = checkClaim({ fees, quote, wallet: signer.address, allowsStandIn, ...limits });
  await onProgress?.({ step: 'prepared', quote });
  if (options.approve && !(await options.approve(quote))) return { status: 'declined', quote };
  const { wire } = await signIssued(signer, message, mustBeSame);
  const { intentId, amounts } = quote;
  const signed = { mint, wallet: signer.address, intentId, amounts, signedTransaction: wire };
  await store.save(JSON.stringify(signed));
  await onProgress?.({ step: 'signed', claim: signed });
  return finishFresh(CLAIM, { ...options, store }, signed);
}

/** What a signed claim is gone on with: its wallet is not needed any more. */
export interface ResumeClaimOptions extends Patience {
  readonly api: Api;
  readonly store: Store;
  readonly onProgress?: ClaimOptions['onProgress'];
}

/** Goes on with the claim that a store keeps, whatever it is for, and signs nothing. Null where nothing is kept. */
export async function resumeClaim(options: ResumeClaimOptions): Promise<ClaimOutcome | null> {
  const kept = await loadKept(options.store, SIGNED_CLAIM);
  return kept && finishKept(CLAIM, options, kept, { step: 'resumed', claim: kept });
}

/** What is known to lead nowhere without asking for a claim. */
function endBefore({ claimable, reason, feeKey }: Fees, wallet: string): ClaimOutcome | null {
  if (claimable === null) return { status: 'nothing_to_claim', reason: reason ?? 'this coin has no fees to claim' };
  if (BigInt(claimable.base.amountRaw) + BigInt(claimable.quote.amountRaw) === 0n) {
    return { status: 'nothing_to_claim', reason: 'nothing was earned since the last claim' };
  }
  if (feeKey?.holder === wallet) return null;
  return { status: 'refused', reason: `${wallet} does not hold the Fee Key, ${feeKey?.holder ?? 'nobody'} does` };
}

async function prepare(options: ClaimOptions): Promise<ClaimQuote | ClaimOutcome> {
  const { api, mint, signer } = options;
  const body = { creatorWallet: signer.address };
  try {
    return await askPatiently(
      () => api.ask('POST /tokens/{mint}/fees/claim/prepare', { path: { mint }, body }),
      options,
    );
  } catch (error) {
    // The fees may have been claimed a moment ago.
    if (error instanceof ApiError && error.code === 'conflict')
      return { status: 'nothing_to_claim', reason: error.message };
    throw error;
  }
}

/** Whether an API runs on this very machine. */
function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

async function resume(options: ClaimOptions, store: Store, kept: SignedClaim): Promise<ClaimOutcome> {
  if (kept.mint !== options.mint || kept.wallet !== options.signer.address) {
    throw new Error(`the store keeps an unfinished claim of ${kept.mint} by ${kept.wallet}; finish that first`);
  }
  return finishKept(CLAIM, { ...options, store }, kept, { step: 'resumed', claim: kept });
}
