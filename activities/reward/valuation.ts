import { NATIVE_MINT } from '@solana/spl-token';
import type { RewardValuation } from '../../db/reward/reward-rounds.ts';
import { agreedAverageOf } from '../trading/average.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';

/** Throws while the market is not indexed; rejects with AppError `service_unavailable` without steady prices. */
export async function valuationOf(deps: RewardDeps, { token }: RewardMarket): Promise<RewardValuation> {
  const { quoteMint, mint } = token;
  const [averagePrice, quote, sol] = await Promise.all([
    agreedAverageOf(deps, mint, deps.rewards.averageMinutes),
    deps.spendablePrices.of(quoteMint),
    deps.spendablePrices.of(NATIVE_MINT.toBase58()),
  ]);
  const { usd: quoteUsd, source: priceSource, observedAt: pricedAt } = quote;
  return { averagePrice, quoteUsd, solUsd: sol.usd, priceSource, pricedAt };
}
