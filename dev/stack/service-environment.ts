import { join } from 'node:path';
import { ApiVariablesSchema } from '../../config/api.ts';
import { WorkerVariablesSchema } from '../../config/worker.ts';
import { WORKER_SECRETS as MOVE_MONEY } from '../../config/worker-secrets.ts';
import { addressOf, type StackKeys } from './keys.ts';
import type { StackLayout } from './layout.ts';

export type StackAddresses = {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Undefined without a stream. */
  readonly streamUrl: string | undefined;
  readonly blockEngineUrl: string;
  /** Of the local block engine. */
  readonly blockEngineAdminUrl: string | undefined;
  readonly siteUrl: string;
};

export type ServiceSetup = {
  readonly env: NodeJS.ProcessEnv;
  readonly addresses: StackAddresses;
  readonly endpoints: readonly string[];
  readonly keys: StackKeys;
  readonly layout: StackLayout;
  readonly exchange: 'local' | 'raydium';
  readonly environment: string;
  readonly apiPort: number;
  readonly apiMetricsPort: number;
  readonly workerPort: number;
  /** Only the embedded chain has a desk. */
  readonly isEmbeddedChain: boolean;
  /** Undefined without a platform token. */
  readonly platformToken: string | undefined;
  /** Null: no site. */
  readonly webDirectory: string | null;
};

const WORKER_SECRETS = ['LAUNCH_SEEDS', 'TREASURY_SECRET_KEY', 'PLATFORM_SECRET_KEY', 'REWARDS_SECRET_KEY'] as const;
const API_SECRETS = ['QUOTE_KEYS', 'ADMIN_PASSWORD'] as const;
const KEY_PLACES = ['TREASURY_SIGNER', 'PLATFORM_SIGNER', 'REWARDS_SIGNER', 'LAUNCH_SEEDS_FILE'] as const;
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
  'INSTANCE_ID',
];

const OF_THE_SYSTEM = /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NO_COLOR|FORCE_COLOR)$/;
/** Configured by their own libraries. */
const OF_LIBRARIES = /^(AWS|OTEL)_/;
const OF_CACHES = ['NODE_COMPILE_CACHE', 'SWC_NATIVE_BINDING_CACHE'];

const OF_THE_SERVICE = new Set([
  ...Object.keys(ApiVariablesSchema.properties),
  ...Object.keys(WorkerVariablesSchema.properties),
]);

const OF_REPLACED_PARTS: readonly (readonly [replacedBy: string, settings: RegExp])[] = [
  ['TEMPORAL_ADDRESS', /^TEMPORAL_(TLS|API_KEY)/],
  ['DATABASE_URL', /^DATABASE_READ_/],
  ['SOLANA_RPC_URL', /^YELLOWSTONE_/],
];

/**
 * Returns documented variables only: others (HTTP_PROXY, NODE_OPTIONS …) would change a part. Temporary files stay in
 * the stack's folder.
 */
export function plainEnvironment(env: NodeJS.ProcessEnv, layout: StackLayout): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || !isPassedOn(name, env) ? [] : [[name, value] as const],
  );
  const compiler = { SWC_NATIVE_BINDING_CACHE: join(layout.cache, 'swc') };
  return { ...compiler, ...Object.fromEntries(entries), TMPDIR: layout.temporary };
}

function isPassedOn(name: string, env: NodeJS.ProcessEnv): boolean {
  if (OF_THE_SYSTEM.test(name) || OF_LIBRARIES.test(name) || OF_CACHES.includes(name)) return true;
  if (!OF_THE_SERVICE.has(name) || DECIDED.includes(name)) return false;
  return OF_REPLACED_PARTS.every(([replacedBy, settings]) => env[replacedBy] || !settings.test(name));
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
    SOLANA_RPC_URL: setup.endpoints.join(','),
    SOLANA_WS_URL: addresses.wsUrl,
    BLOCK_ENGINE_URL: addresses.blockEngineUrl,
    ...(setup.platformToken === undefined ? {} : { PLATFORM_TOKEN_MINT: setup.platformToken }),
    STORE_DIR: setup.env['STORE_DIR'] || setup.layout.store,
    ...(exchange === 'local' ? { STAND_IN_SEED: keys.STAND_IN_SEED } : {}),
  };
}

const pick = (keys: StackKeys, names: readonly (keyof StackKeys)[]) =>
  Object.fromEntries(names.map((name) => [name, keys[name]]));

/** Returns the API's variables; no key that moves money is among them. */
export function apiEnvironment(setup: ServiceSetup): Record<string, string> {
  const shared = Object.entries(sharedEnvironment(setup)).filter(([name]) => !MOVE_MONEY.has(name));
  return {
    ...Object.fromEntries(shared),
    ...pick(setup.keys, API_SECRETS),
    TREASURY_ADDRESS: addressOf(setup.keys.TREASURY_SECRET_KEY),
    PORT: String(setup.apiPort),
    API_METRICS_PORT: String(setup.apiMetricsPort),
    ...(setup.exchange === 'local' ? { DESK: setup.isEmbeddedChain ? '1' : '0' } : {}),
    ...(setup.webDirectory === null ? {} : { WEB_DIR: setup.webDirectory }),
    ...(setup.addresses.blockEngineAdminUrl === undefined
      ? {}
      : { BLOCK_ENGINE_ADMIN_URL: setup.addresses.blockEngineAdminUrl }),
  };
}

/** Returns the stream's variables; with `LOCAL_STREAM=1` the market follows the local stream. */
function streamEnvironment({ addresses, env }: ServiceSetup): Record<string, string> {
  if (addresses.streamUrl === undefined || env['LOCAL_STREAM'] !== '1' || env['YELLOWSTONE_URL']) return {};
  return { YELLOWSTONE_URL: addresses.streamUrl };
}

/** The only one with signing keys. */
export function workerEnvironment(setup: ServiceSetup): Record<string, string> {
  return {
    ...sharedEnvironment(setup),
    ...pick(setup.keys, WORKER_SECRETS),
    WORKER_PORT: String(setup.workerPort),
    WEBHOOK_LOOPBACK: '1',
    ...streamEnvironment(setup),
    // The next start continues unfinished launches.
    SHUTDOWN_GRACE_SECONDS: setup.env['SHUTDOWN_GRACE_SECONDS'] || '1',
    // Developers wait for these rounds.
    GRADUATION_EVERY_SECONDS: setup.env['GRADUATION_EVERY_SECONDS'] || '5',
    REWARD_ROUND_EVERY_SECONDS: setup.env['REWARD_ROUND_EVERY_SECONDS'] || '60',
    REWARD_SALE_WINDOW_SECONDS: setup.env['REWARD_SALE_WINDOW_SECONDS'] || '3',
    REWARD_SNAPSHOT_WINDOW_SLOTS: setup.env['REWARD_SNAPSHOT_WINDOW_SLOTS'] || '9',
  };
}
