import type { Answer } from '../../client/index.ts';

/** A launched token, as lists show it. */
export type Token = Answer<'GET /tokens'>['tokens'][number];

/** A token alone, with its launch. */
export type OneToken = Answer<'GET /tokens/{mint}'>;

/** The launch of a token. */
export type Launch = NonNullable<OneToken['launch']>;

/** A quote token. */
export type Pair = Answer<'GET /pairs'>['pairs'][number];

/** What the platform offers and its totals. */
export type Stats = Answer<'GET /stats'>;

/** Fees of a token's creator. */
export type Fees = Answer<'GET /tokens/{mint}/fees'>;

/** Whether a token was launched here, and not only paired with. */
export function isLaunched(token: OneToken['token']): token is Token {
  return token.quote !== null;
}
