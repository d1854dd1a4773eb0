import type { Variables } from './environment.ts';
import { seedVariables } from './launch-seeds.ts';
import { signerVariables } from './signers.ts';

/** They, or where they lead, can make a key management service sign: the places that AWS’s client looks in. */
const AWS_CREDENTIALS = [
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_CONFIG_FILE',
  'AWS_PROFILE',
] as const;

/** Keys that move money, their places, signing credentials. */
export const WORKER_SECRETS: ReadonlySet<string> = new Set([
  ...Object.keys(seedVariables),
  ...Object.keys(signerVariables),
  ...AWS_CREDENTIALS,
]);

/** Lists the worker's secrets that another process has in production, without their values. */
export function workerSecretProblems(variables: Variables): string[] {
  return [...WORKER_SECRETS]
    .filter((name) => variables[name]?.trim())
    .map((name) => `${name} is for the worker alone and refused in production; remove it`);
}

export function withoutWorkerSecrets(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !WORKER_SECRETS.has(name)));
}
