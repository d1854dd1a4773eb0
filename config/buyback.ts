import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

export const buybackVariables = {
  BUYBACK_EVERY_SECONDS: everySeconds(21_600, 'How often revenue buys and burns'),
  BUYBACK_WINDOW_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 3_600,
    description: 'Purchases start at a random moment within this time after they are due, in seconds',
  }),
  BUYBACK_MIN_USD: Type.String({
    pattern: '^\\d{1,9}(\\.\\d{1,6})?$',
    title: 'a decimal number',
    default: '1',
    description: 'Least budget that is spent, in USD',
  }),
  FLYWHEEL_TOKENS: Type.Integer({
    minimum: 0,
    maximum: 100,
    default: 10,
    description: 'Tokens in the ranking by fee revenue',
  }),
  FLYWHEEL_DAYS: Type.Integer({
    minimum: 1,
    maximum: 365,
    default: 7,
    description: 'Days of fee revenue by which tokens are ranked',
  }),
};

type BuybackValues = Static<TObject<typeof buybackVariables>>;

export interface BuybackConfig {
  readonly everySeconds: number;
  readonly windowSeconds: number;
  /** Exact decimal. */
  readonly leastUsd: string;
  readonly rankedTokens: number;
  readonly rankedDays: number;
}

export function buybackConfig(values: BuybackValues): BuybackConfig {
  return {
    everySeconds: values.BUYBACK_EVERY_SECONDS,
    windowSeconds: values.BUYBACK_WINDOW_SECONDS,
    leastUsd: values.BUYBACK_MIN_USD,
    rankedTokens: values.FLYWHEEL_TOKENS,
    rankedDays: values.FLYWHEEL_DAYS,
  };
}
