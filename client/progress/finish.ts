import { ApiError } from '../http/api-error.ts';
import type { FollowOptions } from './follow.ts';
import type { Store } from './store.ts';

export type FollowProgress<Outcome> =
  | { readonly step: 'waiting'; readonly because: string }
  | { readonly step: 'ended'; readonly outcome: Outcome };

export interface SignedWork<Signed, Outcome extends { readonly status: string }> {
  readonly follow: (options: FollowOptions, signed: Signed) => Promise<Outcome>;
  /** Nothing is left to wait for. */
  readonly settled: readonly Outcome['status'][];
  /**
   * Stored after an outcome or refusal without a payment: only the platform's statement while the signed transaction
   * can land. Default: nothing.
   */
  readonly afterUnpaid?: { readonly statuses: readonly Outcome['status'][]; readonly keep: (signed: Signed) => Signed };
}

/** Options while the outcome is open. */
export interface FinishOptions<Progress> extends Omit<FollowOptions, 'onWaiting'> {
  readonly store: Store;
  readonly onProgress?: ((progress: Progress) => void | Promise<void>) | undefined;
}

/** Clears the store if nothing is left to wait for. */
async function finish<Signed, Outcome extends { readonly status: string }>(
  work: SignedWork<Signed, Outcome>,
  options: FinishOptions<FollowProgress<Outcome>>,
  signed: Signed,
): Promise<Outcome> {
  const { store, onProgress } = options;
  const outcome = await work.follow(
    { ...options, onWaiting: (because) => onProgress?.({ step: 'waiting', because }) },
    signed,
  );
  if (work.settled.includes(outcome.status)) await store.clear();
  if (work.afterUnpaid?.statuses.includes(outcome.status)) await settleUnpaid(work, store, signed);
  await onProgress?.({ step: 'ended', outcome });
  return outcome;
}

async function settleUnpaid<Signed, Outcome extends { readonly status: string }>(
  { afterUnpaid }: SignedWork<Signed, Outcome>,
  store: Store,
  signed: Signed,
): Promise<void> {
  if (afterUnpaid) await store.save(JSON.stringify(afterUnpaid.keep(signed)));
  else await store.clear();
}

/** Finishes work that was just signed: a first submission rejected as malformed never began. */
export async function finishFresh<Signed, Outcome extends { readonly status: string }>(
  work: SignedWork<Signed, Outcome>,
  options: FinishOptions<FollowProgress<Outcome>>,
  signed: Signed,
): Promise<Outcome> {
  try {
    return await finish(work, options, signed);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') await settleUnpaid(work, options.store, signed);
    throw error;
  }
}

/** Finishes stored work; `resumed` reports what continues. */
export async function finishKept<Signed, Outcome extends { readonly status: string }, Resumed>(
  work: SignedWork<Signed, Outcome>,
  options: FinishOptions<FollowProgress<Outcome> | Resumed>,
  kept: Signed,
  resumed: Resumed,
): Promise<Outcome> {
  await options.onProgress?.(resumed);
  return finish(work, options, kept);
}
