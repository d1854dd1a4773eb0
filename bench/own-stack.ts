import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '../config/environment.ts';
import { describeEvent } from '../dev/stack/describe-event.ts';
import { type RunningStack, startStack } from '../dev/stack/index.ts';
import { loadKeys, type StackKeys } from '../dev/stack/keys.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf } from '../dev/stack/layout.ts';
import { ENTRY_POINTS, type EntryPoints } from '../dev/stack/node-parts.ts';

/** A stack that nothing else uses, with the keys it was started with. */
export interface OwnStack {
  readonly stack: RunningStack;
  readonly keys: StackKeys;
}

/** Variables that would put a part outside this machine, or another program, in place of the stack's own. */
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

/** Worker and API of another checkout of this project, in place of one's own. */
export function entryPointsIn(folder: string): EntryPoints {
  return { ...ENTRY_POINTS, api: join(folder, 'api/main.ts'), worker: join(folder, 'worker/main.ts') };
}

/** How a stack differs from the usual one. */
export interface OwnStackOptions {
  readonly entryPoints?: EntryPoints;
  /** Configuration of its parts, over what is inherited. */
  readonly variables?: Variables;
}

/** Starts the whole platform on free loopback ports in a folder of its own, runs the work, and leaves nothing. */
export async function withOwnStack<T>(
  work: (own: OwnStack, signal: AbortSignal) => Promise<T>,
  { entryPoints = ENTRY_POINTS, variables = {} }: OwnStackOptions = {},
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

/** The published limits are for clients; a load on loopback may go beyond them. What is measured is not what rounds do meanwhile. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !REPLACED.includes(name));
  return {
    SLIPWAY_CACHE_DIR: layoutOf(DEFAULT_DATA_DIRECTORY).cache,
    ...Object.fromEntries(inherited),
    PORT: '0',
    RATE_LIMIT_API: '1000000',
    RATE_LIMIT_LAUNCH_PREPARE: '1000000',
    OPEN_LAUNCHES_PER_WALLET: '1000000',
    OPEN_LAUNCHES_PER_ADDRESS: '1000000',
    UNPAID_FILES_PER_WALLET: '1000000',
    UNPAID_FILES_PER_ADDRESS: '1000000',
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
