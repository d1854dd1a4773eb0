import type { Db } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import type { PairRecord } from '../../db/pairs.ts';
import * as tokens from '../../db/tokens.ts';

/** Finds a quote token with pools, for its page's head; null for others. */
export async function findQuoteToken(db: Db, mint: string): Promise<PairRecord | null> {
  const [pair, pool] = await Promise.all([pairs.byMint(db, mint), tokens.greatestPoolOf(db, mint)]);
  return pool === null ? null : pair;
}
