import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '../config/environment.ts';
import { describeEvent } from '../dev/stack/describe-event.ts';
import { type RunningStack, startStack } from '../dev/stack/index.ts';
import { loadKeys, type StackKeys } from '../dev/stack/keys.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf } from '../dev/stack/layout.ts';
import { entryPointsFor, type EntryPoints } from '../dev/stack/node-parts.ts';

export interface OwnStack {
  readonly stack: RunningStack;
  readonly keys: StackKeys;
}

/** Would replace a part by one outside. */
const REPLACED = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_UI_URL',
  'TEMPORAL_NAMESPACE',
  'SOLANA_RPC_URL',
  'SOLANA_WS_URL',
  'BLOCK_ENGINE_URL',
  'EXCHANGE',
  'ENVIRONMENT',
  'PROGRAMS_DIR',
  'SITE_URL',
  'STORE_DIR',
  'LAUNCH_SEEDS',
  'TREASURY_SECRET_KEY',
  'PLATFORM_SECRET_KEY',
  'REWARDS_SECRET_KEY',
  'QUOTE_KEYS',
  'STAND_IN_SEED',
];

export function entryPointsIn(folder: string): EntryPoints {
  return entryPointsFor('local', folder);
}

export interface OwnStackOptions {
  readonly entryPoints?: EntryPoints;
  readonly variables?: Variables;
}

/** Free ports, a temporary folder; removes everything. */
export async function withOwnStack<T>(
  work: (own: OwnStack, signal: AbortSignal) => Promise<T>,
  { entryPoints = entryPointsFor('local'), variables = {} }: OwnStackOptions = {},
): Promise<T> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'slipway-bench-'));
  const stop = stopSignal();
  try {
    const stack = await startStack({
      dataDirectory,
      env: { ...ownEnvironment(), ...variables },
      signal: stop,
      entryPoints,
      onProgress: (event) => {
        const text = describeEvent(event);
        if (text !== undefined) process.stderr.write(`${text}\n`);
      },
    });
    try {
      return await work({ stack, keys: loadKeys(layoutOf(dataDirectory).keysFile, {}) }, stop);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

function ownEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !REPLACED.includes(name));
  return {
    SLIPWAY_CACHE_DIR: layoutOf(DEFAULT_DATA_DIRECTORY).cache,
    ...Object.fromEntries(inherited),
    PORT: '0',
    RATE_LIMIT_API: '1000000',
    RATE_LIMIT_LAUNCH_PREPARE: '1000000',
    DEV_BUY_HOUR_USD: '1000000000',
    UNPAID_LAUNCHES_PER_WALLET: '1000000',
    UNPAID_LAUNCHES_PER_ADDRESS: '1000000',
    UNPAID_LAUNCHES_PER_NETWORK: '1000000',
    UNPAID_LAUNCHES_IN_ALL: '1000000',
    UNPAID_FILES_PER_WALLET: '1000000',
    UNPAID_FILES_PER_ADDRESS: '1000000',
    UNPAID_FILES_PER_NETWORK: '1000000',
    LAUNCH_WALLETS_EVERY_SECONDS: '86400',
    REWARD_ROUND_EVERY_SECONDS: '604800',
    FEE_SWEEP_EVERY_SECONDS: '86400',
  };
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
  }
  return stop.signal;
}
