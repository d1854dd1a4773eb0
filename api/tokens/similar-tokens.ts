import type { Db } from '../../db/connect.ts';
import { type LookAlike, lookAlikesOf } from '../../db/look-alikes.ts';
import type { ListedToken } from '../../db/market/listed-token.ts';

/** Age that a look-alike may have in lists: it changes only as other tokens graduate, trade, or are hidden. */
export const SIMILAR_SECONDS = 25;

/** Tokens whose look-alike is kept, some 200 bytes each. */
const MOST_KEPT = 20_000;

interface Kept {
  readonly until: number;
  readonly lookAlike: LookAlike | null;
}

/** Reads look-alikes of tokens, in the order given; those of a list's busy pages come from memory. */
export function createSimilarTokens(db: Db, now: () => number = () => performance.now()) {
  const kept = new Map<string, Kept>();
  const keep = (mint: string, lookAlike: LookAlike | null): void => {
    kept.delete(mint);
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(mint, { until: now() + SIMILAR_SECONDS * 1_000, lookAlike });
  };
  return async (tokens: readonly ListedToken[]): Promise<(LookAlike | null)[]> => {
    const unknown = tokens.filter(({ mint }) => (kept.get(mint)?.until ?? 0) <= now());
    const read = await lookAlikesOf(db, unknown);
    const fresh = new Map(unknown.map(({ mint }, place) => [mint, read[place] ?? null]));
    for (const [mint, lookAlike] of fresh) keep(mint, lookAlike);
    return tokens.map(({ mint }) => fresh.get(mint) ?? kept.get(mint)?.lookAlike ?? null);
  };
}
