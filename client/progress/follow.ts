import type { Api } from '../http/api.ts';
import { ApiError, NoAnswerError } from '../http/api-error.ts';

export interface Patience {
  /** Then an open outcome is `unknown`; default 180,000. */
  readonly patienceMs?: number;
  /** Default 1,000. */
  readonly pollMs?: number;
  /** Ends the waiting, not the work. */
  readonly signal?: AbortSignal;
}

export interface FollowOptions extends Patience {
  readonly api: Api;
  readonly onWaiting?: (because: string) => void | Promise<void>;
  /** The caller's own: a payment called not charged must not be on the chain there. */
  readonly rpcUrl?: string | undefined;
}

export type Seen<Outcome, How> =
  | { readonly end: Outcome }
  | { readonly again: How; readonly afterMs: number; readonly because: string };

export interface Followed<Outcome, How> {
  readonly first: How;
  readonly look: (how: How) => Promise<Seen<Outcome, How>>;
  /** After the timeout. */
  readonly unknown: (because: string) => Outcome;
  readonly onWaiting?: (because: string) => void | Promise<void>;
}

const PATIENCE_MS = 180_000;

/** Polls until there is an end or the time is over. */
export async function follow<Outcome, How>(followed: Followed<Outcome, How>, patience: Patience): Promise<Outcome> {
  const deadline = Date.now() + (patience.patienceMs ?? PATIENCE_MS);
  let how = followed.first;
  for (;;) {
    const seen = await followed.look(how);
    if ('end' in seen) return seen.end;
    if (Date.now() + seen.afterMs > deadline) return followed.unknown(seen.because);
    await followed.onWaiting?.(seen.because);
    await pause(seen.afterMs, patience.signal);
    how = seen.again;
  }
}

/** Repeats an idempotent request while the platform says that waiting helps. */
export async function askPatiently<T>(ask: () => Promise<T>, patience: Patience): Promise<T> {
  const deadline = Date.now() + (patience.patienceMs ?? PATIENCE_MS);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const afterMs = waitFor(error, patience);
      if (afterMs === null || Date.now() + afterMs > deadline) throw error;
      await pause(afterMs, patience.signal);
    }
  }
}

/** Returns ms before the same request; null if waiting does not help. */
export function waitFor(error: unknown, { pollMs = 1_000 }: Patience): number | null {
  if (error instanceof NoAnswerError) return pollMs;
  if (!(error instanceof ApiError) || !error.retryable) return null;
  // Needs a new quote or claim, not the same call.
  return error.code === 'conflict' ? null : Math.max(error.retryAfter * 1_000, pollMs);
}

/** Rejects with an AbortError on the signal. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(new DOMException('the waiting was ended', 'AbortError'));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
