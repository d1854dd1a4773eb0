import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

const USD = '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,10})?$';

/** How holder rewards are collected, sold and paid. */
export const rewardVariables = {
  REWARD_ROUND_EVERY_SECONDS: everySeconds(3_600, 'How often reward rounds are planned'),
  REWARD_LOOKS_PER_RUN: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 500,
    description:
      'Reward tokens that nobody traded for a week and that one run looks at all the same, longest first: transfers between wallets are taxed too',
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
    maximum: 128,
    default: 64,
    description: 'Payout transactions of one reward round under way at once',
  }),
};

type RewardValues = Static<TObject<typeof rewardVariables>>;

/** Settings of reward rounds. USD are exact decimal strings. */
export interface RewardConfig {
  readonly everySeconds: number;
  readonly tokensPerRun: number;
  readonly saleWindowSeconds: number;
  readonly snapshotWindowSlots: number;
  readonly minHoldingUsd: string;
  readonly minPayoutUsd: string;
  readonly payoutsAtOnce: number;
}

/** The settings of reward rounds, out of validated variables. */
export function rewardConfig(values: RewardValues): RewardConfig {
  return {
    everySeconds: values.REWARD_ROUND_EVERY_SECONDS,
    tokensPerRun: values.REWARD_LOOKS_PER_RUN,
    saleWindowSeconds: values.REWARD_SALE_WINDOW_SECONDS,
    snapshotWindowSlots: values.REWARD_SNAPSHOT_WINDOW_SLOTS,
    minHoldingUsd: values.REWARD_MIN_HOLDING_USD,
    minPayoutUsd: values.REWARD_MIN_PAYOUT_USD,
    payoutsAtOnce: values.REWARD_PAYOUTS_AT_ONCE,
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
