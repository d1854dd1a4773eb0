import * as tokenTrading from '../../db/market/token-trading.ts';
import type { MarketDeps } from './deps.ts';

/** Least time between two counts of a token, ms: a little less than the cadence of the round. */
const COUNT_EVERY_MS = 50_000;

const TOKENS_AT_ONCE = 200;

/** Batches in one round. The next round counts the rest, the longest waiting first. */
const BATCHES = 25;

/** Counts figures of tokens whose last count is old. Returns how many tokens it counted. */
export async function countTrading({
  db,
  now,
  heartbeat,
}: Pick<MarketDeps, 'db' | 'now' | 'heartbeat'>): Promise<number> {
  const moment = now();
  const before = new Date(moment.getTime() - COUNT_EVERY_MS);
  let counted = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const tokens = await tokenTrading.count(db, { now: moment, before, limit: TOKENS_AT_ONCE });
    counted += tokens;
    heartbeat();
    if (tokens < TOKENS_AT_ONCE) break;
  }
  return counted;
}
