import Type, { type Static, type TObject } from 'typebox';
import type { MarketLimits } from '../domain/trading/limits.ts';

export const tradingVariables = {
  AVERAGE_PRICE_MINUTES: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    default: 30,
    description: 'Span of the average price that bounds the platform’s own swaps and values holdings, in minutes',
  }),
  MARKET_SWAP_IMPACT_BPS: bps(100, "Most that the platform's own swaps may move a pool's price"),
  MARKET_SWAP_BELOW_AVERAGE_BPS: bps(
    500,
    "Most that the platform's own swaps may fill below the average price, after fees and taxes",
  ),
  MARKET_SWAP_SLIPPAGE_BPS: bps(100, "Most slippage of the platform's own swaps"),
};

type TradingValues = Static<TObject<typeof tradingVariables>>;

export interface TradingConfig {
  readonly averageMinutes: number;
  readonly limits: MarketLimits;
}

export function tradingConfig(values: TradingValues): TradingConfig {
  return {
    averageMinutes: values.AVERAGE_PRICE_MINUTES,
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
