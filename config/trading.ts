import type { MarketLimits } from '../domain/trading/limits.ts';

export interface TradingConfig {
  /** Span of the average price that bounds the platform's own swaps and values what is burned. */
  readonly averageMinutes: number;
  readonly limits: MarketLimits;
}

/** Published rules: checks of purchases and sales expect them. */
export const TRADING: TradingConfig = {
  averageMinutes: 30,
  limits: { maxImpactBps: 100, maxBelowAverageBps: 500, maxSlippageBps: 100 },
};
