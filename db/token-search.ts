import { type RawBuilder, sql } from 'kysely';

const ADDRESS_PART = /^[1-9A-HJ-NP-Za-km-z]{1,44}$/;
const TRIGRAM = /[a-z0-9]{3}/i;
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The condition of a search on `token_markets`: a part of the name or symbol in any case, or the beginning of the mint. One
 * and two characters, and punctuation alone, match only at the beginning of name or symbol: no index finds them inside.
 * Each form is one that an index of its own answers.
 */
export function matchesSearch(q: string): RawBuilder<boolean> {
  const escaped = q.replace(/[\\%_]/g, '\\$&');
  const mint = ADDRESS_PART.test(q) ? sql`or mint like ${`${escaped}%`}` : sql``;
  if (isShort(q)) return sql<boolean>`(${beginsWith(escaped)} ${mint})`;
  const part = `%${escaped}%`;
  const inside = TRIGRAM.test(q) || ASCII.test(q) ? sql`true` : sql`search_text ~ '[^\\x01-\\x7f]'`;
  return sql<boolean>`(${inside} and search_text like lower(${part}) ${mint})`;
}

function isShort(q: string): boolean {
  return [...q].length <= 2 || (ASCII.test(q) && !/[a-z0-9]/i.test(q));
}

function beginsWith(escaped: string): RawBuilder<boolean> {
  const beginning = `${escaped}%`;
  return sql`search_text like lower(${beginning}) or symbol_text like lower(${beginning})`;
}
