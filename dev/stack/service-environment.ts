import { join } from 'node:path';
import { addressOf, type StackKeys } from './keys.ts';
import type { StackLayout } from './layout.ts';

/** Where the parts of this stack are reached, started here or set by a variable. */
export type StackAddresses = {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** The stream of the local chain; undefined where none is served. */
  readonly streamUrl: string | undefined;
  readonly blockEngineUrl: string;
  /** Where the local block engine's faults are switched; undefined for another one. */
  readonly blockEngineAdminUrl: string | undefined;
  readonly siteUrl: string;
};

/** What decides the environment of the service's processes. */
export type ServiceSetup = {
  /** The environment the stack was started with: every other setting passes through. */
  readonly env: NodeJS.ProcessEnv;
  readonly addresses: StackAddresses;
  readonly keys: StackKeys;
  readonly layout: StackLayout;
  readonly exchange: 'local' | 'raydium';
  readonly environment: string;
  readonly apiPort: number;
  readonly apiMetricsPort: number;
  readonly workerPort: number;
  /** Whether the chain is the embedded one, which alone has a desk. */
  readonly isEmbeddedChain: boolean;
  /** Mint of the platform token; undefined where there is none. */
  readonly platformToken: string | undefined;
  /** Where the built site lies; null where none is served. */
  readonly webDirectory: string | null;
};

/** Variables that only the worker may see. */
const WORKER_SECRETS = ['LAUNCH_SEEDS', 'TREASURY_SECRET_KEY', 'PLATFORM_SECRET_KEY', 'REWARDS_SECRET_KEY'] as const;
/** Variables that only the API may see. */
const API_SECRETS = ['QUOTE_KEYS', 'ADMIN_PASSWORD'] as const;
/** Places of keys other than the ones the stack makes. */
const KEY_PLACES = ['TREASURY_SIGNER', 'PLATFORM_SIGNER', 'REWARDS_SIGNER', 'LAUNCH_SEEDS_FILE'] as const;
/** Variables the stack decides; what the caller's environment says of them must not reach a process that should lack them. */
const DECIDED = [
  ...WORKER_SECRETS,
  ...KEY_PLACES,
  ...API_SECRETS,
  'STAND_IN_SEED',
  'DESK',
  'WEB_DIR',
  'PORT',
  'API_METRICS_PORT',
  'API_METRICS_HOST',
  'WORKER_PORT',
  'HOST',
];

/**
 * The caller's environment without what the stack decides, for a Node process of the stack that holds no secret. Temporary
 * files, and the compiler that bundles the workflows (it unpacks itself, by default under the home directory), stay in the
 * stack's folder.
 */
export function plainEnvironment(env: NodeJS.ProcessEnv, layout: StackLayout): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || DECIDED.includes(name) ? [] : [[name, value] as const],
  );
  const compiler = { SWC_NATIVE_BINDING_CACHE: join(layout.cache, 'swc') };
  return { ...compiler, ...Object.fromEntries(entries), TMPDIR: layout.temporary };
}

function sharedEnvironment(setup: ServiceSetup): Record<string, string> {
  const { addresses, exchange, keys } = setup;
  return {
    ...plainEnvironment(setup.env, setup.layout),
    ENVIRONMENT: setup.environment,
    HOST: '127.0.0.1',
    SITE_URL: addresses.siteUrl,
    DATABASE_URL: addresses.databaseUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: addresses.temporalNamespace,
    SOLANA_RPC_URL: addresses.rpcUrl,
    SOLANA_WS_URL: addresses.wsUrl,
    BLOCK_ENGINE_URL: addresses.blockEngineUrl,
    EXCHANGE: exchange,
    ...(setup.platformToken === undefined ? {} : { PLATFORM_TOKEN_MINT: setup.platformToken }),
    STORE_DIR: setup.env['STORE_DIR'] || setup.layout.store,
    ...(exchange === 'local' ? { STAND_IN_SEED: keys.STAND_IN_SEED } : {}),
  };
}

const pick = (keys: StackKeys, names: readonly (keyof StackKeys)[]) =>
  Object.fromEntries(names.map((name) => [name, keys[name]]));

/** The API's environment: no key in it can move money. */
export function apiEnvironment(setup: ServiceSetup): Record<string, string> {
  return {
    ...sharedEnvironment(setup),
    ...pick(setup.keys, API_SECRETS),
    TREASURY_ADDRESS: addressOf(setup.keys.TREASURY_SECRET_KEY),
    PORT: String(setup.apiPort),
    API_METRICS_PORT: String(setup.apiMetricsPort),
    DESK: setup.isEmbeddedChain ? '1' : '0',
    ...(setup.webDirectory === null ? {} : { WEB_DIR: setup.webDirectory }),
    ...(setup.addresses.blockEngineAdminUrl === undefined
      ? {}
      : { BLOCK_ENGINE_ADMIN_URL: setup.addresses.blockEngineAdminUrl }),
  };
}

/** `LOCAL_STREAM=1` has the market followed by the local chain's own stream. */
function streamEnvironment({ addresses, env }: ServiceSetup): Record<string, string> {
  if (addresses.streamUrl === undefined || env['LOCAL_STREAM'] !== '1' || env['YELLOWSTONE_URL']) return {};
  return { YELLOWSTONE_URL: addresses.streamUrl };
}

/** The worker's environment, the only one with the keys that sign for the platform. */
export function workerEnvironment(setup: ServiceSetup): Record<string, string> {
  return {
    ...sharedEnvironment(setup),
    ...pick(setup.keys, WORKER_SECRETS),
    WORKER_PORT: String(setup.workerPort),
    ...streamEnvironment(setup),
    // A launch is followed until it is final; whoever stops a local stack does not wait for that, the next start goes on.
    SHUTDOWN_GRACE_SECONDS: setup.env['SHUTDOWN_GRACE_SECONDS'] || '1',
    // Nobody speculates on a local chain, and whoever looks at a token or a reward there waits for it.
    GRADUATION_EVERY_SECONDS: setup.env['GRADUATION_EVERY_SECONDS'] || '5',
    REWARD_ROUND_EVERY_SECONDS: setup.env['REWARD_ROUND_EVERY_SECONDS'] || '60',
    REWARD_SALE_WINDOW_SECONDS: setup.env['REWARD_SALE_WINDOW_SECONDS'] || '3',
    REWARD_SNAPSHOT_WINDOW_SLOTS: setup.env['REWARD_SNAPSHOT_WINDOW_SLOTS'] || '9',
  };
}
