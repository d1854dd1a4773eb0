const ADDRESS_PART = /^[1-9A-HJ-NP-Za-km-z]{1,44}$/;
const TRIGRAM = /[a-z0-9]{3}/i;
const ASCII = /^[\x00-\x7f]*$/;

/** Returns the value's placeholder. */
export type Bind = (value: unknown) => string;

/**
 * Matches on `token_markets m`: part of name or symbol, any case, or prefix of the mint. One or two characters, or
 * punctuation alone, match only at the start: no index finds them inside.
 */
export function matchesSearch(q: string, bind: Bind): string {
  const escaped = q.replace(/[\\%_]/g, '\\$&');
  const mint = ADDRESS_PART.test(q) ? ` or m.mint like ${bind(`${escaped}%`)}` : '';
  if (isShort(q)) {
    const beginning = `lower(${bind(`${escaped}%`)})`;
    return `(m.search_text like ${beginning} or m.symbol_text like ${beginning}${mint})`;
  }
  // Without a trigram: only the few names with non-ASCII letters.
  const among = TRIGRAM.test(q) || ASCII.test(q) ? '' : `m.search_text ~ '[^\\x01-\\x7f]' and `;
  return `(${among}m.search_text like lower(${bind(`%${escaped}%`)})${mint})`;
}

/**
 * A search plans for so many, although one is read: the planner overestimates collecting rare matches and scans the
 * order; a larger limit avoids that. Several words it underestimates.
 */
export function pagesToPlanFor(q: string): number {
  return /\w\W+\w/.test(q) ? 1 : 3;
}

function isShort(q: string): boolean {
  return [...q].length <= 2 || (ASCII.test(q) && !/[a-z0-9]/i.test(q));
}
