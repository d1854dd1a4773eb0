/**
 * Returns a function that passes each cursor of a list on, and throws for one that it saw before: a list that repeats a
 * cursor has no end.
 *
 * @param list for the error
 */
export function newCursors(list: string): <Cursor extends string | null>(next: Cursor) => Cursor {
  const seen = new Set<string>();
  return (next) => {
    if (next === null) return next;
    if (seen.has(next)) throw new Error(`${list} answered the cursor "${next}" twice: its pages have no end`);
    seen.add(next);
    return next;
  };
}
