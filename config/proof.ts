import type { Static, TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

export const proofVariables = {
  SEALED_LOG_EVERY_SECONDS: everySeconds(
    3_600,
    'How often new receipts, a changed list of wallets and prices of open reward rounds are sealed on the chain',
    // `verify receipt` expects each in a log within two hours.
    3_600,
  ),
};

type ProofValues = Static<TObject<typeof proofVariables>>;

export interface ProofConfig {
  readonly logEverySeconds: number;
}

export function proofConfig(values: ProofValues): ProofConfig {
  return { logEverySeconds: values.SEALED_LOG_EVERY_SECONDS };
}
