import Type, { type Static, type TObject } from 'typebox';

/** How revenue buys and burns. The shares of it are among the variables of the fee sweep. */
export const buybackVariables = {
  BUYBACK_EVERY_MINUTES: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    default: 360,
    description: 'Minutes between two rounds of purchases with revenue',
  }),
  BUYBACK_WINDOW_MINUTES: Type.Integer({
    minimum: 0,
    maximum: 1_440,
    default: 60,
    description:
      'A round starts at a random moment within so many minutes after it is due, so that nobody can wait for it',
  }),
  BUYBACK_MIN_USD: Type.String({
    pattern: '^\\d{1,9}(\\.\\d{1,6})?$',
    title: 'a decimal number',
    default: '1',
    description: 'Least that a budget must be worth to be spent, in USD',
  }),
  FLYWHEEL_TOKENS: Type.Integer({
    minimum: 0,
    maximum: 100,
    default: 10,
    description: 'Tokens in the buyback ranking: those of the highest fee revenue',
  }),
  FLYWHEEL_DAYS: Type.Integer({
    minimum: 1,
    maximum: 365,
    default: 7,
    description: 'Days whose fee revenue ranks the tokens',
  }),
};

type BuybackValues = Static<TObject<typeof buybackVariables>>;

/** When and with how much revenue buys. */
export interface BuybackConfig {
  readonly everyMs: number;
  readonly windowMs: number;
  /** USD, exact decimal. */
  readonly leastUsd: string;
  readonly rankedTokens: number;
  readonly rankedDays: number;
}

/** The settings of purchases with revenue, out of validated variables. */
export function buybackConfig(values: BuybackValues): BuybackConfig {
  return {
    everyMs: values.BUYBACK_EVERY_MINUTES * 60_000,
    windowMs: values.BUYBACK_WINDOW_MINUTES * 60_000,
    leastUsd: values.BUYBACK_MIN_USD,
    rankedTokens: values.FLYWHEEL_TOKENS,
    rankedDays: values.FLYWHEEL_DAYS,
  };
}
