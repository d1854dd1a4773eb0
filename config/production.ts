import type { Static, TObject } from 'typebox';
import { priceProductionProblems } from './prices.ts';
import { looksGuessable, type NamedKey } from './secrets.ts';
import { storageProductionProblems } from './storage.ts';
import { temporalProductionProblems } from './temporal.ts';
import { traceProductionProblems } from './traces.ts';
import { transportProblems } from './transport.ts';
import type { sharedVariables } from './variables.ts';

const DEFAULT_PASSWORDS = new Set(['postgres', 'password', 'admin', 'secret', 'changeme', 'slipway', 'test', 'local']);

export function sharedProductionProblems(variables: Static<TObject<typeof sharedVariables>>): string[] {
  const problems = [
    ...storageProductionProblems(variables),
    ...priceProductionProblems(variables),
    ...transportProblems(variables),
    ...temporalProductionProblems(variables.TEMPORAL_ADDRESS, variables),
    ...traceProductionProblems(variables),
  ];
  if (!variables.SITE_URL.startsWith('https://')) problems.push('SITE_URL must be an https URL in production');
  if (isDefaultPassword(databasePassword(variables.DATABASE_URL))) {
    problems.push('DATABASE_URL has no password or a well-known one, which is refused in production');
  }
  return problems;
}

export function isDefaultPassword(password: string | undefined): boolean {
  return !password || DEFAULT_PASSWORDS.has(password.toLowerCase());
}

export function guessableKeys(variable: string, keys: readonly NamedKey[]): string[] {
  return keys
    .filter(({ key }) => looksGuessable(key))
    .map(({ id }) => `${variable} key "${id}" is not random, which is refused in production`);
}

function databasePassword(url: string): string | undefined {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).password) : undefined;
}
