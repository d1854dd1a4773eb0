import type { Static, TObject } from 'typebox';
import { priceProductionProblems } from './prices.ts';
import { looksGuessable, type NamedKey } from './secrets.ts';
import { storageProductionProblems } from './storage.ts';
import { temporalProductionProblems } from './temporal.ts';
import { traceProductionProblems } from './traces.ts';
import { transportProblems } from './transport.ts';
import type { sharedVariables } from './variables.ts';

/** Words that installation guides use as passwords. */
const DEFAULT_PASSWORDS = new Set(['postgres', 'password', 'admin', 'secret', 'changeme', 'slipway', 'test', 'local']);

/** What both processes refuse in production: stand-ins, prices set by hand, plain-text origins, well-known passwords. */
export function sharedProductionProblems(variables: Static<TObject<typeof sharedVariables>>): string[] {
  const problems = [
    ...storageProductionProblems(variables),
    ...priceProductionProblems(variables),
    ...transportProblems(variables),
    ...temporalProductionProblems(variables.TEMPORAL_ADDRESS, variables),
    ...traceProductionProblems(variables),
    ...standInProblems(variables),
  ];
  if (!variables.SITE_URL.startsWith('https://')) problems.push('SITE_URL must be an https URL in production');
  if (isDefaultPassword(databasePassword(variables.DATABASE_URL))) {
    problems.push('DATABASE_URL has no password or a well-known one, which is refused in production');
  }
  return problems;
}

/** What stands in for an exchange, and must not on any public cluster. */
export function standInProblems({ EXCHANGE, STAND_IN_SEED }: Static<TObject<typeof sharedVariables>>): string[] {
  const problems = EXCHANGE === 'local' ? ['EXCHANGE=local is a stand-in and refused in production'] : [];
  return STAND_IN_SEED ? [...problems, 'STAND_IN_SEED is refused in production'] : problems;
}

/** True for an absent, short or well-known password. */
export function isDefaultPassword(password: string | undefined): boolean {
  return !password || DEFAULT_PASSWORDS.has(password.toLowerCase());
}

/** A problem for each key of a list that was not drawn at random. */
export function guessableKeys(variable: string, keys: readonly NamedKey[]): string[] {
  return keys
    .filter(({ key }) => looksGuessable(key))
    .map(({ id }) => `${variable} key "${id}" is not random, which is refused in production`);
}

function databasePassword(url: string): string | undefined {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).password) : undefined;
}
