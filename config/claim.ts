import Type, { type Static, type TObject } from 'typebox';
import { CLAIM_LIFETIME_SECONDS } from '../domain/claim/lifetime.ts';
import { everySeconds } from './every-seconds.ts';

export const preparedClaimVariables = {
  CLAIM_VALID_SECONDS: Type.Integer({
    minimum: 1,
    maximum: CLAIM_LIFETIME_SECONDS,
    default: CLAIM_LIFETIME_SECONDS,
    description: 'How long a prepared claim can be submitted, in seconds',
  }),
  CLAIMABLE_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 30,
    default: 2,
    description: 'How long a token’s claimable fees are cached, in seconds; 0 only merges simultaneous reads',
  }),
};

export const claimVariables = {
  CLAIM_JANITOR_EVERY_SECONDS: everySeconds(30, 'How often open claims without a workflow get one'),
  CLAIM_RELAY_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    default: 60,
    description: 'Time for a relayed claim to land before its nonce is advanced to end it, in seconds',
  }),
};

type ClaimValues = Static<TObject<typeof claimVariables>>;

export interface ClaimConfig {
  readonly janitorEverySeconds: number;
  readonly relayMs: number;
}

export function claimConfig(values: ClaimValues): ClaimConfig {
  return { janitorEverySeconds: values.CLAIM_JANITOR_EVERY_SECONDS, relayMs: values.CLAIM_RELAY_SECONDS * 1_000 };
}
