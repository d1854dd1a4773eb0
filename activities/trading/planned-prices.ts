import * as prices from '../../db/prices/prices.ts';
import type { PlannedPrice } from '../../db/prices/prices.ts';
import { AppError } from '../../domain/errors.ts';
import type { SpendablePrices } from '../../domain/trading/spendable-price.ts';
import type { MoneyDeps } from '../money/deps.ts';

export interface PlanPrice extends PlannedPrice {
  /** USD per whole token, to decide whether an amount is worth a transaction; the last known if none is steady. */
  readonly estimateUsd: string | null;
}

type PriceDeps = Pick<MoneyDeps, 'db' | 'logger'> & { readonly spendablePrices: SpendablePrices };

export function createPlannedPrices(deps: PriceDeps): (quoteMint: string) => Promise<PlanPrice> {
  const asked = new Map<string, Promise<PlanPrice>>();
  return (mint) => {
    const answer = asked.get(mint) ?? priceOf(deps, mint);
    asked.set(mint, answer);
    return answer;
  };
}

/** Returns a steady price. Without one, fees are collected but their value stays unknown. */
async function priceOf({ db, spendablePrices, logger }: PriceDeps, mint: string): Promise<PlanPrice> {
  try {
    const { usd, source, observedAt } = await spendablePrices.of(mint);
    return { quoteUsd: usd, priceSource: source, pricedAt: observedAt, estimateUsd: usd };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger.warn({ err: error, mint }, 'a quote token has no steady price: its amounts are booked without one');
    const last = await prices.latest(db, mint);
    return { quoteUsd: null, priceSource: null, pricedAt: null, estimateUsd: last?.usd ?? null };
  }
}
