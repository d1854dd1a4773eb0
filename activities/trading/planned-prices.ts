import type { PriceSource } from '../../chain/prices/price-source.ts';
import * as prices from '../../db/prices/prices.ts';
import type { PlannedPrice } from '../../db/prices/prices.ts';
import { AppError } from '../../domain/errors.ts';
import type { MoneyDeps } from '../money/deps.ts';

/** What a quote token costs, for a plan. */
export interface PlanPrice extends PlannedPrice {
  /** USD per whole token by which it is decided whether fees are worth collecting: the last known price where none is fresh. */
  readonly estimateUsd: string | null;
}

type PriceDeps = Pick<MoneyDeps, 'db' | 'logger'> & { readonly prices: PriceSource };

/** Looks up each quote token's price once. */
export function createPlannedPrices(deps: PriceDeps): (quoteMint: string) => Promise<PlanPrice> {
  const asked = new Map<string, Promise<PlanPrice>>();
  return (mint) => {
    const answer = asked.get(mint) ?? priceOf(deps, mint);
    asked.set(mint, answer);
    return answer;
  };
}

/** Without a fresh price fees are collected all the same; what they are worth is then unknown for ever. */
async function priceOf({ db, prices: priceSource, logger }: PriceDeps, mint: string): Promise<PlanPrice> {
  try {
    const { usd, source, observedAt } = await priceSource.usd(mint);
    return { quoteUsd: usd, priceSource: source, pricedAt: observedAt, estimateUsd: usd };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger.warn({ err: error, mint }, 'fees in a quote token without a fresh price');
    const last = await prices.latest(db, mint);
    return { quoteUsd: null, priceSource: null, pricedAt: null, estimateUsd: last?.usd ?? null };
  }
}
