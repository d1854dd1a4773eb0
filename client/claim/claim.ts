import type { Api } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { askPatiently, type Patience } from '../progress/follow.ts';
import { finishFresh, finishKept, type FollowProgress, type SignedWork } from '../progress/finish.ts';
import { loadKept } from '../progress/kept.ts';
import { memoryStore, type Store } from '../progress/store.ts';
import type { Signer } from '../signers/signer.ts';
import type { Message } from '../solana/message.ts';
import { signIssued } from '../solana/sign-issued.ts';
import { checkClaim } from './check-claim.ts';
import type { ClaimQuote, Collection, Fees } from './claim-context.ts';
import type { ClaimOutcome } from './claim-outcome.ts';
import { followClaim } from './follow-claim.ts';
import { SIGNED_CLAIM, type SignedClaim } from './signed-claim.ts';

export type ClaimProgress =
  | { readonly step: 'prepared'; readonly quote: ClaimQuote }
  | { readonly step: 'signed' | 'resumed'; readonly claim: SignedClaim }
  | FollowProgress<ClaimOutcome>;

const CLAIM: SignedWork<SignedClaim, ClaimOutcome> = {
  follow: followClaim,
  settled: ['paid', 'not_paid'],
};

export interface ClaimOptions extends Patience {
  readonly api: Api;
  /** Holds the launch's Fee Key. */
  readonly signer: Signer;
  /** The launched token. */
  readonly mint: string;
  /** At launch: no other may be claimed. Default: the platform's statement. */
  readonly quoteMint?: string;
  /** Keeps the signed claim while its outcome is open: the same call continues it after a crash. Default: in memory. */
  readonly store?: Store;
  /** Default 200,000. */
  readonly maxNetworkFeeLamports?: bigint;
  /** Default: Raydium's lock program, and nothing else. */
  readonly collection?: Collection | undefined;
  /** Gets the checked amounts before anything is signed. */
  readonly approve?: (quote: ClaimQuote) => boolean | Promise<boolean>;
  readonly onProgress?: (progress: ClaimProgress) => void | Promise<void>;
}

/**
 * Reads the fees, prepares and checks the claim, has it signed, submits it, follows it to an outcome. Rejects with a
 * RefusedError if the claim differs from what was announced, and with an ApiError.
 */
export async function claim(options: ClaimOptions): Promise<ClaimOutcome> {
  const { api, mint, signer, store = memoryStore(), onProgress } = options;
  const kept = await loadKept(store, SIGNED_CLAIM);
  if (kept) return goOn(options, store, kept);
  const fees = await askPatiently(() => api.ask('GET /tokens/{mint}/fees', { path: { mint } }), options);
  const end = endBefore(fees, signer.address);
  if (end) return end;
  const quote = await prepare(options);
  if ('status' in quote) return quote;
  const message = checkedMessage(options, fees, quote);
  await onProgress?.({ step: 'prepared', quote });
  if (options.approve && !(await options.approve(quote))) return { status: 'declined', quote };
  const { wire } = await signIssued(signer, message, options.maxNetworkFeeLamports);
  return submitSigned({ ...options, store }, quote, wire);
}

/** The message to sign. @throws RefusedError if it is another one than was asked for */
export function checkedMessage(options: ClaimOptions, fees: Fees, quote: ClaimQuote): Message {
  const { signer, quoteMint, collection, maxNetworkFeeLamports } = options;
  const limits = maxNetworkFeeLamports === undefined ? {} : { maxNetworkFeeLamports };
  return checkClaim({ fees, quote, wallet: signer.address, quoteMint, collection, ...limits });
}

/** Keeps what the wallet signed before it is submitted, and follows it. */
export async function submitSigned(
  options: ClaimOptions & { readonly store: Store },
  { intentId, amounts }: ClaimQuote,
  wire: string,
): Promise<ClaimOutcome> {
  const { mint, signer, store, onProgress } = options;
  const signed = { mint, wallet: signer.address, intentId, amounts, signedTransaction: wire };
  await store.save(JSON.stringify(signed));
  await onProgress?.({ step: 'signed', claim: signed });
  return finishFresh(CLAIM, options, signed);
}

/** Options of a resumed claim, which needs no wallet. */
export interface ResumeClaimOptions extends Patience {
  readonly api: Api;
  readonly store: Store;
  readonly onProgress?: ClaimOptions['onProgress'];
}

/** Resumes a claim of any token; signs nothing. Null if nothing is stored. */
export async function resumeClaim(options: ResumeClaimOptions): Promise<ClaimOutcome | null> {
  const kept = await loadKept(options.store, SIGNED_CLAIM);
  return kept && finishKept(CLAIM, options, kept, { step: 'resumed', claim: kept });
}

/** The outcome if this wallet cannot claim; null if it can. */
export function endBefore({ claimable, reason, feeKey }: Fees, wallet: string): ClaimOutcome | null {
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

/** @throws for a claim of another token or wallet */
export async function goOn(options: ClaimOptions, store: Store, kept: SignedClaim): Promise<ClaimOutcome> {
  if (kept.mint !== options.mint || kept.wallet !== options.signer.address) {
    throw new Error(`the store keeps an unfinished claim of ${kept.mint} by ${kept.wallet}; finish that first`);
  }
  return finishKept(CLAIM, { ...options, store }, kept, { step: 'resumed', claim: kept });
}
