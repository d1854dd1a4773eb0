import { ApiError } from '../http/api-error.ts';
import type { FollowOptions } from './follow.ts';
import type { Store } from './store.ts';

/** What is said while something signed is followed, and when it has ended. */
export type FollowProgress<Outcome> =
  | { readonly step: 'waiting'; readonly because: string }
  | { readonly step: 'ended'; readonly outcome: Outcome };

/** A kind of work that a wallet signed, and that is followed to its outcome. */
export interface SignedWork<Signed, Outcome extends { readonly status: string }> {
  readonly follow: (options: FollowOptions, signed: Signed) => Promise<Outcome>;
  /** Outcomes after which nothing is left to wait for. */
  readonly settled: readonly Outcome['status'][];
}

/** What signed work is finished with; the store keeps it as long as its outcome is open. */
export interface FinishOptions<Progress> extends Omit<FollowOptions, 'onWaiting'> {
  readonly store: Store;
  readonly onProgress?: ((progress: Progress) => void | Promise<void>) | undefined;
}

/** Follows signed work to its outcome, and forgets it where nothing is left to wait for. */
async function finish<Signed, Outcome extends { readonly status: string }>(
  { follow, settled }: SignedWork<Signed, Outcome>,
  options: FinishOptions<FollowProgress<Outcome>>,
  signed: Signed,
): Promise<Outcome> {
  const { store, onProgress } = options;
  const outcome = await follow(
    { ...options, onWaiting: (because) => onProgress?.({ step: 'waiting', because }) },
    signed,
  );
  if (settled.includes(outcome.status)) await store.clear();
  await onProgress?.({ step: 'ended', outcome });
  return outcome;
}

/** The same for what was signed just now: a first submission that is refused as malformed was not begun and need not be kept. */
export async function finishFresh<Signed, Outcome extends { readonly status: string }>(
  work: SignedWork<Signed, Outcome>,
  options: FinishOptions<FollowProgress<Outcome>>,
  signed: Signed,
): Promise<Outcome> {
  try {
    return await finish(work, options, signed);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') await options.store.clear();
    throw error;
  }
}

/** The same for what a store kept: `resumed` says what is gone on with. */
export async function finishKept<Signed, Outcome extends { readonly status: string }, Resumed>(
  work: SignedWork<Signed, Outcome>,
  options: FinishOptions<FollowProgress<Outcome> | Resumed>,
  kept: Signed,
  resumed: Resumed,
): Promise<Outcome> {
  await options.onProgress?.(resumed);
  return finish(work, options, kept);
}
