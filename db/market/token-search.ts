const ADDRESS_PART = /^[1-9A-HJ-NP-Za-km-z]{1,44}$/;
const TRIGRAM = /[a-z0-9]{3}/i;
const ASCII = /^[\x00-\x7f]*$/;

/** Adds a value to a query and answers the placeholder that stands for it. */
export type Bind = (value: unknown) => string;

/**
 * The condition of a search on `token_markets m`: a part of the name or symbol in any case, or the beginning of the mint. One
 * and two characters, and punctuation alone, match only at the beginning of name or symbol: no index finds them inside.
 * Each form is one that an index of its own answers.
 */
export function matchesSearch(q: string, bind: Bind): string {
  const escaped = q.replace(/[\\%_]/g, '\\$&');
  const mint = ADDRESS_PART.test(q) ? ` or m.mint like ${bind(`${escaped}%`)}` : '';
  if (isShort(q)) {
    const beginning = `lower(${bind(`${escaped}%`)})`;
    return `(m.search_text like ${beginning} or m.symbol_text like ${beginning}${mint})`;
  }
  // Without a trigram to look for, among the few names that have letters beyond ASCII.
  const among = TRIGRAM.test(q) || ASCII.test(q) ? '' : `m.search_text ~ '[^\\x01-\\x7f]' and `;
  return `(${among}m.search_text like lower(${bind(`%${escaped}%`)})${mint})`;
}

/**
 * For how many pages a search is planned, of which one is read. The planner counts collecting the matches of a rarer term as
 * reads from a disk, and so reads along the order for longer than collecting takes; asked for more, it collects sooner.
 * Not for several words: for these it counts collecting too low, since the index goes through the entries of each.
 */
export function pagesToPlanFor(q: string): number {
  return /\w\W+\w/.test(q) ? 1 : 3;
}

function isShort(q: string): boolean {
  return [...q].length <= 2 || (ASCII.test(q) && !/[a-z0-9]/i.test(q));
}
