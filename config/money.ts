import type { Static, TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

/** How the books are watched. */
export const moneyVariables = {
  RECONCILE_EVERY_SECONDS: everySeconds(300, 'How often the worker compares its books with the chain'),
};

type MoneyValues = Static<TObject<typeof moneyVariables>>;

/** When the books are compared with the chain. */
export interface MoneyConfig {
  readonly reconcileEverySeconds: number;
}

/** The settings of the books, out of validated variables. */
export function moneyConfig(values: MoneyValues): MoneyConfig {
  return { reconcileEverySeconds: values.RECONCILE_EVERY_SECONDS };
}
