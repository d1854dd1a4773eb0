import { NATIVE_MINT } from '@solana/spl-token';
import type { Db } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import { SEED_PAIRS, type SeedPair, RETIRED_CATEGORY, SOL_USD } from './local-pairs.ts';

const DECISION = { actor: 'seed', note: 'local chain' };

/** Limits that apply once an operator changes the price source. */
const LIMITS = { priceMaxAgeMs: 60_000, priceMaxConfidenceBps: 100 };

export async function listPairs(db: Db, now: Date): Promise<void> {
  for (const pair of SEED_PAIRS) await listPair(db, pair);
  const prices = [{ mint: NATIVE_MINT, usd: SOL_USD }, ...SEED_PAIRS];
  for (const { mint, usd } of prices) await recordFirstPrice(db, mint.toBase58(), usd, now);
}

async function listPair(db: Db, pair: SeedPair): Promise<void> {
  const mint = pair.mint.toBase58();
  if ((await pairs.byMint(db, mint)) !== null) return;
  const { symbol, name, decimals, category } = pair;
  const listing = { mint, symbol, name, decimals, category, tokenProgram: pair.tokenProgram.toBase58(), logoUrl: null };
  await pairs.add(db, { ...listing, ...LIMITS, priceSource: 'fixed', priceSourceId: mint }, DECISION);
  if (pair.retired) await pairs.retire(db, mint, DECISION);
  if (category === RETIRED_CATEGORY) await pairs.setCategoryRetired(db, category, true, DECISION);
}

async function recordFirstPrice(db: Db, mint: string, usd: string, observedAt: Date): Promise<void> {
  if ((await prices.latest(db, mint)) !== null) return;
  await prices.record(db, [{ mint, usd, source: 'fixed', observedAt }]);
}
