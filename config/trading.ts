import Type, { type Static, type TObject } from 'typebox';
import type { MarketLimits } from '../domain/trading/limits.ts';

/** How the platform's own swaps are judged: those of buybacks and of reward rounds. */
export const tradingVariables = {
  AVERAGE_PRICE_MINUTES: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    default: 30,
    description: "Minutes that the average price is of by which the platform's own swaps and holdings are judged",
  }),
  MARKET_SWAP_IMPACT_BPS: bps(100, "Most by which one of the platform's own swaps may move a pool's price"),
  MARKET_SWAP_BELOW_AVERAGE_BPS: bps(
    500,
    "Most by which one of the platform's own swaps may fill worse than the average price, after fees and taxes",
  ),
  MARKET_SWAP_SLIPPAGE_BPS: bps(100, "Most by which one of the platform's own swaps may fill worse than it was quoted"),
  PRICE_DEVIATION_BPS: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 2_000,
    description:
      'How far a price may lie from the middle of those seen within the last four hours before nothing is bought or paid by it, in bps',
  }),
};

type TradingValues = Static<TObject<typeof tradingVariables>>;

/** Limits of the platform's own swaps. */
export interface TradingConfig {
  readonly averageMinutes: number;
  readonly limits: MarketLimits;
  /** How far a price that money is spent by may lie from the middle of the last ones, bps. */
  readonly maxDeviationBps: number;
}

/** The limits of the platform's own swaps, out of validated variables. */
export function tradingConfig(values: TradingValues): TradingConfig {
  return {
    averageMinutes: values.AVERAGE_PRICE_MINUTES,
    maxDeviationBps: values.PRICE_DEVIATION_BPS,
    limits: {
      maxImpactBps: values.MARKET_SWAP_IMPACT_BPS,
      maxBelowAverageBps: values.MARKET_SWAP_BELOW_AVERAGE_BPS,
      maxSlippageBps: values.MARKET_SWAP_SLIPPAGE_BPS,
    },
  };
}

function bps(fallback: number, description: string) {
  return Type.Integer({ minimum: 1, maximum: 5_000, default: fallback, description: `${description}, in bps` });
}
