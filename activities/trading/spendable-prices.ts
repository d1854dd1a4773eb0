import { spendableOf, steadyAt } from '../../db/prices/steady-prices.ts';
import type { SpendablePrices } from '../../domain/trading/spendable-price.ts';
import { observedPrice, type ObservedDeps } from './observed-price.ts';

export interface SpendableDeps extends ObservedDeps {
  /** From the median of the last prices. */
  readonly maxDeviationBps: number;
}

/** A request makes no price steady: a stranger who moved the market may have caused it. */
export function createSpendablePrices(deps: SpendableDeps): SpendablePrices {
  const { db, maxDeviationBps } = deps;
  return {
    at: (mint, moment) => steadyAt(db, mint, moment, maxDeviationBps),
    async of(mint) {
      const present = await observedPrice(deps, mint);
      return spendableOf(db, present, { mint, maxDeviationBps, clockProblem: () => deps.prices.clockProblem() });
    },
  };
}
