import Type, { type Static, type TObject } from 'typebox';
import type { MarketLimits } from '../domain/trading/limits.ts';

const USD = '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,10})?$';

/** How holder rewards are collected, sold and paid. */
export const rewardVariables = {
  REWARD_ROUND_MINUTES: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    default: 60,
    description: 'Minutes between two runs that plan reward rounds',
  }),
  REWARD_LOOKS_PER_RUN: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 500,
    description: 'Reward tokens that one run looks at, those not looked at for longest first',
  }),
  REWARD_SALE_WINDOW_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 3_600,
    default: 600,
    description: 'A reward round sells at a random moment within so many seconds after its observations',
  }),
  REWARD_SNAPSHOT_WINDOW_SLOTS: Type.Integer({
    minimum: 3,
    maximum: 100_000,
    default: 6_000,
    description:
      "Slots within which a reward round observes the holders' balances three times, before it collects; most of the time " +
      'between two rounds',
  }),
  REWARD_MIN_HOLDING_USD: usd('20', 'Holdings worth less earn no rewards'),
  REWARD_MIN_PAYOUT_USD: usd('0.05', 'Shares that bring less are not paid'),
  REWARD_PAYOUTS_AT_ONCE: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 8,
    description: 'Payout transactions of one reward round under way at once',
  }),
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
};

type RewardValues = Static<TObject<typeof rewardVariables>>;

/** Settings of reward rounds. USD are exact decimal strings. */
export interface RewardConfig {
  readonly everyMs: number;
  readonly tokensPerRun: number;
  readonly saleWindowSeconds: number;
  readonly snapshotWindowSlots: number;
  readonly minHoldingUsd: string;
  readonly minPayoutUsd: string;
  readonly payoutsAtOnce: number;
  readonly averageMinutes: number;
  readonly limits: MarketLimits;
}

/** The settings of reward rounds, out of validated variables. */
export function rewardConfig(values: RewardValues): RewardConfig {
  return {
    everyMs: values.REWARD_ROUND_MINUTES * 60_000,
    tokensPerRun: values.REWARD_LOOKS_PER_RUN,
    saleWindowSeconds: values.REWARD_SALE_WINDOW_SECONDS,
    snapshotWindowSlots: values.REWARD_SNAPSHOT_WINDOW_SLOTS,
    minHoldingUsd: values.REWARD_MIN_HOLDING_USD,
    minPayoutUsd: values.REWARD_MIN_PAYOUT_USD,
    payoutsAtOnce: values.REWARD_PAYOUTS_AT_ONCE,
    averageMinutes: values.AVERAGE_PRICE_MINUTES,
    limits: {
      maxImpactBps: values.MARKET_SWAP_IMPACT_BPS,
      maxBelowAverageBps: values.MARKET_SWAP_BELOW_AVERAGE_BPS,
      maxSlippageBps: values.MARKET_SWAP_SLIPPAGE_BPS,
    },
  };
}

function usd(fallback: string, description: string) {
  return Type.String({
    pattern: USD,
    title: 'an amount of USD as a plain decimal',
    default: fallback,
    description: `${description}, in USD`,
  });
}

function bps(fallback: number, description: string) {
  return Type.Integer({ minimum: 1, maximum: 5_000, default: fallback, description: `${description}, in bps` });
}
