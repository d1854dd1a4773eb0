/**
 * Asks at most once in `everyMs` and answers with what was known meanwhile: a page that is read every few seconds must not cost a
 * call to the chain each time. A failure is not kept. `now` is a clock in ms.
 */
export function seldom<T>(everyMs: number, ask: () => Promise<T>, now: () => number = Date.now): () => Promise<T> {
  let known: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    if (known && now() - known.at < everyMs) return known.answer;
    const fresh = { at: now(), answer: ask() };
    known = fresh;
    fresh.answer.catch(() => {
      if (known === fresh) known = undefined;
    });
    return fresh.answer;
  };
}
