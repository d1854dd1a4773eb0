import type { Static, TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

export const moneyVariables = {
  RECONCILE_EVERY_SECONDS: everySeconds(300, 'How often books and chain are compared'),
};

type MoneyValues = Static<TObject<typeof moneyVariables>>;

export interface MoneyConfig {
  readonly reconcileEverySeconds: number;
}

export function moneyConfig(values: MoneyValues): MoneyConfig {
  return { reconcileEverySeconds: values.RECONCILE_EVERY_SECONDS };
}
