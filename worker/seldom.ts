import { within } from '../domain/within.ts';

/** How often is asked, and how long whoever reads waits, in ms. */
export interface Seldom {
  readonly everyMs: number;
  readonly patienceMs: number;
  /** A clock in ms; default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Asks at most once in `everyMs` and answers with what was known meanwhile: a page that is read every few seconds must not cost a
 * call to the chain each time, nor wait for an endpoint that hangs. A failure is not kept; rejects where nothing is known in time.
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
