import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

const USD = '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,10})?$';

export const rewardRuleVariables = {
  REWARD_MIN_HOLDING_USD: usd('20', 'Least holding that earns rewards'),
  REWARD_MIN_PAYOUT_USD: usd('0.05', 'Least share that is paid'),
};

export const rewardVariables = {
  REWARD_ROUND_EVERY_SECONDS: everySeconds(3_600, 'How often reward rounds are planned'),
  REWARD_SALE_WINDOW_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 3_600,
    default: 600,
    description: 'A reward round sells at a random moment within this time after its observations, in seconds',
  }),
  REWARD_SNAPSHOT_WINDOW_SLOTS: Type.Integer({
    minimum: 3,
    maximum: 100_000,
    default: 3_000,
    description:
      "Length of the windows in which reward rounds observe the holders' balances three times, in slots. `slipway verify` " +
      'expects the default',
  }),
  REWARD_PAYOUTS_AT_ONCE: Type.Integer({
    minimum: 1,
    maximum: 128,
    default: 64,
    description: 'Payout transactions of a reward round in flight at once',
  }),
};

type RewardRuleValues = Static<TObject<typeof rewardRuleVariables>>;
type RewardValues = Static<TObject<typeof rewardVariables>> & RewardRuleValues;

/** Exact decimals. */
export interface RewardRules {
  readonly minHoldingUsd: string;
  readonly minPayoutUsd: string;
}

/** Exact decimals. */
export interface RewardConfig extends RewardRules {
  readonly everySeconds: number;
  readonly tokensPerRun: number;
  readonly saleWindowSeconds: number;
  readonly snapshotWindowSlots: number;
  readonly payoutsAtOnce: number;
}

export function rewardConfig(values: RewardValues): RewardConfig {
  return {
    everySeconds: values.REWARD_ROUND_EVERY_SECONDS,
    tokensPerRun: 500,
    saleWindowSeconds: values.REWARD_SALE_WINDOW_SECONDS,
    snapshotWindowSlots: values.REWARD_SNAPSHOT_WINDOW_SLOTS,
    ...rewardRules(values),
    payoutsAtOnce: values.REWARD_PAYOUTS_AT_ONCE,
  };
}

export function rewardRules(values: RewardRuleValues): RewardRules {
  return { minHoldingUsd: values.REWARD_MIN_HOLDING_USD, minPayoutUsd: values.REWARD_MIN_PAYOUT_USD };
}

function usd(fallback: string, description: string) {
  return Type.String({
    pattern: USD,
    title: 'an amount of USD as a plain decimal',
    default: fallback,
    description: `${description}, in USD`,
  });
}
