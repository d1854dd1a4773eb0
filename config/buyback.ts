import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

/** How revenue buys and burns. The shares of it are among the variables of the fee sweep. */
export const buybackVariables = {
  BUYBACK_EVERY_SECONDS: everySeconds(21_600, 'How often revenue buys and burns'),
  BUYBACK_WINDOW_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 3_600,
    description:
      'A round of purchases starts at a random moment within so many seconds after it is due, so that nobody can wait for it',
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
  readonly everySeconds: number;
  /** A round starts at a random moment within so many seconds after it is due. */
  readonly windowSeconds: number;
  /** USD, exact decimal. */
  readonly leastUsd: string;
  readonly rankedTokens: number;
  readonly rankedDays: number;
}

/** The settings of purchases with revenue, out of validated variables. */
export function buybackConfig(values: BuybackValues): BuybackConfig {
  return {
    everySeconds: values.BUYBACK_EVERY_SECONDS,
    windowSeconds: values.BUYBACK_WINDOW_SECONDS,
    leastUsd: values.BUYBACK_MIN_USD,
    rankedTokens: values.FLYWHEEL_TOKENS,
    rankedDays: values.FLYWHEEL_DAYS,
  };
}
