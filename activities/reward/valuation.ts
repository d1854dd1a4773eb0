import { NATIVE_MINT } from '@solana/spl-token';
import * as prices from '../../db/prices/prices.ts';
import type { RewardValuation } from '../../db/reward/reward-rounds.ts';
import { averageOf } from '../trading/average.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';

/**
 * What a token, its quote token and SOL are worth now; what a source observed is written down. Throws while the token's market
 * is not indexed; rejects with AppError `service_unavailable` without a fresh price.
 */
export async function valuationOf(deps: RewardDeps, { token }: RewardMarket): Promise<RewardValuation> {
  const { quoteMint, mint } = token;
  const [averagePrice, quote, sol] = await Promise.all([
    averageOf(deps, mint, deps.rewards.averageMinutes),
    deps.prices.usd(quoteMint),
    deps.prices.usd(NATIVE_MINT.toBase58()),
  ]);
  const { usd: quoteUsd, source: priceSource, observedAt: pricedAt } = quote;
  if (priceSource !== 'fixed') {
    await prices.record(deps.db, [{ mint: quoteMint, usd: quoteUsd, source: priceSource, observedAt: pricedAt }]);
  }
  return { averagePrice, quoteUsd, solUsd: sol.usd, priceSource, pricedAt };
}
