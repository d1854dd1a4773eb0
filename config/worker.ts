import Type, { type Static } from 'typebox';
import { readVariables, refuseProblems, type Variables } from './environment.ts';
import { guessableKeys, sharedProductionProblems } from './production.ts';
import { type NamedKey, parseKeyList } from './secrets.ts';
import { sharedConfig, type SharedConfig, sharedProblems } from './shared.ts';
import { sharedVariables, workerVariables } from './variables.ts';

/** Environment variables of the worker process. */
export const WorkerVariablesSchema = Type.Object({ ...sharedVariables, ...workerVariables });

type WorkerValues = Static<typeof WorkerVariablesSchema>;

/** Configuration of the worker process, the only one with keys that move money. */
export interface WorkerConfig extends SharedConfig {
  readonly port: number;
  readonly blockEngineUrl: string;
  /** How long a relayed claim may take to land before it is given up. */
  readonly claimRelayMs: number;
  /** Newest first; new launches derive from the first. */
  readonly launchSeeds: readonly NamedKey[];
  /** Secret keys, base58 of 64 bytes. */
  readonly secretKeys: { readonly treasury: string; readonly platform: string; readonly rewards: string };
}

/** Reads the worker's configuration. Throws a ConfigError that names every variable that is missing, malformed or refused. */
export function readWorkerConfig(variables: Variables): WorkerConfig {
  const values = readVariables(WorkerVariablesSchema, variables);
  const launchSeeds = parseKeyList('LAUNCH_SEEDS', values.LAUNCH_SEEDS);
  refuseProblems([
    ...sharedProblems(values),
    ...sharedSecrets(values),
    ...(values.ENVIRONMENT === 'production'
      ? [...sharedProductionProblems(values), ...guessableKeys('LAUNCH_SEEDS', launchSeeds)]
      : []),
  ]);
  return {
    ...sharedConfig(values),
    port: values.WORKER_PORT,
    blockEngineUrl: values.BLOCK_ENGINE_URL,
    claimRelayMs: values.CLAIM_RELAY_SECONDS * 1000,
    launchSeeds,
    secretKeys: {
      treasury: values.TREASURY_SECRET_KEY,
      platform: values.PLATFORM_SECRET_KEY,
      rewards: values.REWARDS_SECRET_KEY,
    },
  };
}

/** Treasury, platform and rewards authority are separate: whoever learns one key must not have the others. */
function sharedSecrets(values: WorkerValues): string[] {
  const keys = [values.TREASURY_SECRET_KEY, values.PLATFORM_SECRET_KEY, values.REWARDS_SECRET_KEY];
  return new Set(keys).size < keys.length
    ? ['TREASURY_SECRET_KEY, PLATFORM_SECRET_KEY and REWARDS_SECRET_KEY must be three different keys']
    : [];
}
