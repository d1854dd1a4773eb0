import { within } from '../domain/within.ts';

export interface Seldom {
  readonly everyMs: number;
  readonly patienceMs: number;
  /** Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Asks at most once in `everyMs`: scrapes cost no chain call each, nor wait for a hanging endpoint. Failures are not
 * cached. Rejects if no value comes in time.
 */
export function seldom<T>({ everyMs, patienceMs, now = Date.now }: Seldom, ask: () => Promise<T>): () => Promise<T> {
  let known: { readonly at: number; readonly answer: Promise<T> } | undefined;
  const forget = (failed: typeof known) => {
    if (known === failed) known = undefined;
  };
  return () => {
    if (!known || now() - known.at >= everyMs) {
      const fresh = { at: now(), answer: ask() };
      known = fresh;
      fresh.answer.catch(() => forget(fresh));
    }
    return within(patienceMs, known.answer);
  };
}
