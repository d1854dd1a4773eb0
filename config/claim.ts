import Type, { type Static, type TObject } from 'typebox';
import { CLAIM_LIFETIME_SECONDS } from '../domain/claim/lifetime.ts';
import { everySeconds } from './every-seconds.ts';

/** How the API prepares claims. */
export const preparedClaimVariables = {
  CLAIM_VALID_SECONDS: Type.Integer({
    minimum: 1,
    maximum: CLAIM_LIFETIME_SECONDS,
    default: CLAIM_LIFETIME_SECONDS,
    description: 'How long a prepared claim can be submitted, in seconds; the published time is the default',
  }),
  CLAIMABLE_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 30,
    default: 2,
    description:
      'How long the claimable fees of a token are kept before the chain is asked again, in seconds; 0 only answers requests at once from one look',
  }),
};

/** How the worker carries claims out. */
export const claimVariables = {
  CLAIM_JANITOR_EVERY_SECONDS: everySeconds(
    30,
    'How often the worker looks for open claims that lack a workflow, and starts it',
  ),
  CLAIM_RELAY_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    default: 60,
    description:
      'How long a relayed claim may take to land before its nonce is advanced and it is given up, in seconds',
  }),
};

type ClaimValues = Static<TObject<typeof claimVariables>>;

/** Settings of claims. */
export interface ClaimConfig {
  readonly janitorEverySeconds: number;
  /** How long a relayed claim may take to land before it is given up. */
  readonly relayMs: number;
}

/** The settings of claims, out of validated variables. */
export function claimConfig(values: ClaimValues): ClaimConfig {
  return { janitorEverySeconds: values.CLAIM_JANITOR_EVERY_SECONDS, relayMs: values.CLAIM_RELAY_SECONDS * 1_000 };
}
