import { type SpendablePrice, spendablePrice } from '../../../domain/trading/spendable-price.ts';

/** A spendable price, as if an operator had set it. */
export function spendable(usd: string, observedAt = new Date()): SpendablePrice {
  return spendablePrice({ usd, source: 'fixed', observedAt }, [], { mint: 'test', maxDeviationBps: 1 });
}

/** The same as a figure. */
export const spendableUsd = (usd: string) => spendable(usd).usd;
