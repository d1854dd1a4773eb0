import type { Api } from '../http/api.ts';
import { ApiError, NoAnswerError } from '../http/api-error.ts';

/** How long and how often the platform is asked. */
export interface Patience {
  /** After so long an outcome that is still open is answered as `unknown`; ms, default 180,000. */
  readonly patienceMs?: number;
  /** Pause between two looks; ms, default 1,000. */
  readonly pollMs?: number;
  /** Ends the waiting, not what is waited for. */
  readonly signal?: AbortSignal;
}

/** What something signed is followed with. */
export interface FollowOptions extends Patience {
  readonly api: Api;
  readonly onWaiting?: (because: string) => void | Promise<void>;
}

/** What one look at an outcome showed: its end, or that it has to be looked at again, and how. */
export type Seen<Outcome, How> =
  | { readonly end: Outcome }
  | { readonly again: How; readonly afterMs: number; readonly because: string };

/** What is followed. */
export interface Followed<Outcome, How> {
  readonly first: How;
  readonly look: (how: How) => Promise<Seen<Outcome, How>>;
  /** The outcome when patience is over. */
  readonly unknown: (because: string) => Outcome;
  readonly onWaiting?: (because: string) => void | Promise<void>;
}

const PATIENCE_MS = 180_000;

/** Looks again and again until there is an end, or patience is over. */
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

/** Asks something that may be asked again without harm, as long as the platform says that waiting helps. */
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

/** How long to wait before the same is asked again, in ms; null where that does not help. */
export function waitFor(error: unknown, { pollMs = 1_000 }: Patience): number | null {
  if (error instanceof NoAnswerError) return pollMs;
  if (!(error instanceof ApiError) || !error.retryable) return null;
  // A retryable conflict is one that a new quote or claim resolves, not the same call.
  return error.code === 'conflict' ? null : Math.max(error.retryAfter * 1_000, pollMs);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
