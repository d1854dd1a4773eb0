import { ApiError } from '../http/api-error.ts';
import type { Store } from './store.ts';

/** Something signed that is followed to an outcome, and kept until it has one. */
export interface Open<Outcome extends { readonly status: string }> {
  readonly store: Store;
  readonly follow: (onWaiting: (because: string) => void | Promise<void>) => Promise<Outcome>;
  /** Outcomes after which nothing is left to wait for. */
  readonly settled: readonly Outcome['status'][];
  readonly onProgress?:
    | ((
        progress:
          | { readonly step: 'waiting'; readonly because: string }
          | { readonly step: 'ended'; readonly outcome: Outcome },
      ) => void | Promise<void>)
    | undefined;
}

/** Follows it to its outcome; the store keeps it as long as that is open. */
export async function finish<Outcome extends { readonly status: string }>(open: Open<Outcome>): Promise<Outcome> {
  const { store, follow, settled, onProgress } = open;
  const outcome = await follow((because) => onProgress?.({ step: 'waiting', because }));
  if (settled.includes(outcome.status)) await store.clear();
  await onProgress?.({ step: 'ended', outcome });
  return outcome;
}

/** The same for what was signed just now: a first submission that is refused as malformed was not begun and need not be kept. */
export async function finishFresh<Outcome extends { readonly status: string }>(open: Open<Outcome>): Promise<Outcome> {
  try {
    return await finish(open);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') await open.store.clear();
    throw error;
  }
}
