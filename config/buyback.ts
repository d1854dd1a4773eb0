import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

export const buybackVariables = {
  BUYBACK_EVERY_SECONDS: everySeconds(21_600, 'How often revenue buys and burns'),
  BUYBACK_MIN_USD: Type.String({
    pattern: '^\\d{1,9}(\\.\\d{1,6})?$',
    title: 'a decimal number',
    default: '1',
    description: 'Least budget that is spent, in USD',
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
    windowSeconds: 3_600,
    leastUsd: values.BUYBACK_MIN_USD,
    rankedTokens: 10,
    rankedDays: 7,
  };
}
