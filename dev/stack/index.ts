import { mkdirSync, rmSync } from 'node:fs';
import { parseKeyList } from '../../config/secrets.ts';
import { keepClient, migrateToLatest } from '../../db/migrate.ts';
import { seedStack, type SeedOptions } from '../seed/index.ts';
import { platformTokenOf } from '../seed/platform-token.ts';
import { assertBundlable } from '../../worker/bundle-path.ts';
import { builtSite } from '../web/built-site.ts';
import { claimRun } from './claim-run.ts';
import { addressOf, loadKeys } from './keys.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf, stateOf, type StackLayout } from './layout.ts';
import { apiPart, entryPointsFor, workerPart, type EntryPoints } from './node-parts.ts';
import type { OnEvent, PartSpec } from './part.ts';
import { choosePorts } from './ports.ts';
import { removeLeftoverMemory } from './postgres/leftover-memory.ts';
import { startPostgres } from './postgres/start.ts';
import { writePrivateJson } from './private-file.ts';
import { apiEnvironment, workerEnvironment, type ServiceSetup } from './service-environment.ts';
import { readSettings } from './settings.ts';
import type { StackContext } from './stack-context.ts';
import type { StackFile } from './stack-file.ts';
import { chainAddresses, startBlockEngine, startLocalnet } from './start-chain.ts';
import { Supervisor } from './supervisor.ts';
import { startTemporal, type TemporalAddresses } from './temporal/start.ts';

export type StartStackOptions = {
  /** Default `.data`. */
  readonly dataDirectory?: string;
  readonly platformToken?: boolean;
  readonly keep?: boolean;
  /** Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  readonly onProgress?: OnEvent;
  readonly signal?: AbortSignal;
  readonly entryPoints?: EntryPoints;
  readonly endpoints?: (rpcUrl: string) => readonly string[];
  /** In place of the local market, for tests. */
  readonly seed?: (options: SeedOptions) => Promise<unknown>;
};

export type RunningStack = StackFile & {
  readonly stop: () => Promise<void>;
  readonly force: () => void;
  readonly pidOf: (part: string) => number | undefined;
  /** Undefined for an unknown part. */
  readonly specOf: (part: string) => PartSpec | undefined;
  readonly start: (part: PartSpec) => Promise<void>;
  /** Another one may be started afterwards. */
  readonly end: (part: string) => Promise<void>;
  readonly watcherPid: () => number | undefined;
};

async function prepareContext(
  options: StartStackOptions,
  layout: StackLayout,
  signal: AbortSignal,
): Promise<StackContext> {
  const env = options.env ?? process.env;
  const onEvent = options.onProgress ?? (() => undefined);
  const settings = readSettings(env);
  if (options.keep !== true) {
    await removeLeftoverMemory(layout.postgres);
    for (const path of stateOf(layout)) rmSync(path, { recursive: true, force: true });
  }
  for (const path of [layout.temporary, layout.store]) mkdirSync(path, { recursive: true });
  const { logs: logDirectory, recordFile, stackFile, lockFile, temporary } = layout;
  return {
    env,
    settings,
    layout,
    keys: loadKeys(layout.keysFile, env),
    ports: await choosePorts(layout.portsFile, settings.port),
    supervisor: new Supervisor({ logDirectory, recordFile, files: [stackFile, temporary, lockFile], onEvent }),
    closers: [],
    entryPoints: options.entryPoints ?? entryPointsFor(settings.exchange),
    seed: options.seed ?? seedStack,
    endpoints: options.endpoints ?? ((rpcUrl) => [rpcUrl]),
    hasPlatformToken: options.platformToken === true,
    onEvent,
    signal,
  };
}

function serviceSetup(context: StackContext, databaseUrl: string, temporalAddress: string): ServiceSetup {
  const { env, keys, layout, settings, ports } = context;
  return {
    env,
    keys,
    layout,
    exchange: settings.exchange,
    environment: settings.environment,
    apiPort: ports.api,
    apiMetricsPort: ports.apiMetrics,
    workerPort: ports.worker,
    isEmbeddedChain: settings.rpcUrl === undefined,
    platformToken: undefined,
    webDirectory: null,
    endpoints: context.endpoints(chainAddresses(context).rpcUrl),
    addresses: {
      ...chainAddresses(context),
      databaseUrl,
      temporalAddress,
      temporalNamespace: settings.temporalNamespace,
      siteUrl: settings.siteUrl ?? `http://127.0.0.1:${ports.api}`,
    },
  };
}

function stackFile(context: StackContext, setup: ServiceSetup, temporal: TemporalAddresses): StackFile {
  const { databaseUrl, rpcUrl, wsUrl, blockEngineUrl, siteUrl, temporalNamespace } = setup.addresses;
  return {
    apiUrl: `http://127.0.0.1:${context.ports.api}/api/public/v1`,
    siteUrl,
    apiMetricsUrl: `http://127.0.0.1:${context.ports.apiMetrics}`,
    workerUrl: `http://127.0.0.1:${context.ports.worker}`,
    temporalAddress: temporal.address,
    temporalNamespace,
    temporalUiUrl: temporal.uiUrl,
    temporalCli: temporal.cli,
    rpcUrl,
    wsUrl,
    blockEngineUrl,
    databaseUrl,
    adminPassword: context.keys.ADMIN_PASSWORD,
    treasury: addressOf(context.keys.TREASURY_SECRET_KEY),
    platformToken: setup.platformToken ?? null,
    programs: [...context.settings.programs],
    exchange: context.settings.exchange,
  };
}

async function startPostgresMigrated(context: StackContext): Promise<string> {
  const url = await startPostgres(context);
  const ran = await migrateToLatest(url);
  if (ran.length > 0) context.onEvent({ kind: 'note', text: `the database has ${ran.length} new migrations` });
  return url;
}

async function seed(
  { keys, onEvent, ...context }: StackContext,
  { addresses, environment }: ServiceSetup,
): Promise<void> {
  await context.seed({
    rpcUrl: addresses.rpcUrl,
    databaseUrl: addresses.databaseUrl,
    treasury: addressOf(keys.TREASURY_SECRET_KEY),
    platform: addressOf(keys.PLATFORM_SECRET_KEY),
    rewards: addressOf(keys.REWARDS_SECRET_KEY),
    environment,
    seedId: keys.LAUNCH_SEEDS.split(':')[0] ?? '',
    onProgress: (text) => {
      onEvent({ kind: 'note', text });
    },
  });
}

async function platformToken({ env, keys, hasPlatformToken }: StackContext, setup: ServiceSetup) {
  const given = env['PLATFORM_TOKEN_MINT'];
  if (given || !setup.isEmbeddedChain || !hasPlatformToken) return given || undefined;
  const [newest] = parseKeyList('LAUNCH_SEEDS', keys.LAUNCH_SEEDS);
  if (!newest) return undefined;
  const { rpcUrl, databaseUrl } = setup.addresses;
  const seed = { id: newest.id, secret: newest.key };
  const mintSuffix = env['LAUNCH_MINT_SUFFIX'] ?? '';
  return platformTokenOf({ rpcUrl, databaseUrl, environment: setup.environment, seed, mintSuffix });
}

/** The local chain's where there is a desk, else production's. Null if a test replaces the API. */
async function site({ env, entryPoints, settings, layout, onEvent, signal }: StackContext): Promise<string | null> {
  const given = env['WEB_DIR'];
  if (given || entryPoints.api !== entryPointsFor(settings.exchange).api) return given || null;
  const onBuild = () => {
    onEvent({ kind: 'note', text: 'building the site in web/ …' });
  };
  const hasDesk = settings.exchange === 'local' && settings.rpcUrl === undefined;
  return builtSite({ kind: hasDesk ? 'local' : 'production', cache: layout.cache, onBuild, signal });
}

/** Starts the chain, then the block engine, which reads the chain's identity at start. */
async function startChain(context: StackContext): Promise<void> {
  await startLocalnet(context);
  await startBlockEngine(context);
}

/** A failure stops the other steps; rejects once all have settled. */
async function together<T extends readonly Promise<unknown>[]>(
  { supervisor }: StackContext,
  steps: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  try {
    return await Promise.all(steps);
  } catch (error) {
    await supervisor.stop();
    await Promise.allSettled(steps);
    throw error;
  }
}

async function startParts(context: StackContext): Promise<StackFile> {
  const [databaseUrl, temporal, , webDirectory] = await together(context, [
    startPostgresMigrated(context),
    startTemporal(context),
    startChain(context),
    site(context),
  ]);
  if (webDirectory !== null) await keepClient(databaseUrl, webDirectory);
  const plain = serviceSetup(context, databaseUrl, temporal.address);
  if (plain.isEmbeddedChain) await seed(context, plain);
  const setup: ServiceSetup = { ...plain, webDirectory, platformToken: await platformToken(context, plain) };
  const { supervisor, entryPoints, ports } = context;
  await together(context, [
    supervisor.start(workerPart(entryPoints.worker, ports.worker, workerEnvironment(setup))),
    supervisor.start(apiPart(entryPoints.api, ports.api, apiEnvironment(setup))),
  ]);
  const file = stackFile(context, setup, temporal);
  writePrivateJson(context.layout.stackFile, file);
  return file;
}

/**
 * Resolves when every part is ready. A failure leaves nothing running.
 *
 * @throws StackRunsError if a stack runs in the folder; else an error with part, address and log
 */
export async function startStack(options: StartStackOptions = {}): Promise<RunningStack> {
  assertBundlable(import.meta.dirname);
  const env = options.env ?? process.env;
  const layout = layoutOf(options.dataDirectory ?? DEFAULT_DATA_DIRECTORY, env['SLIPWAY_CACHE_DIR'] || undefined);
  const lock = await claimRun(layout, options.onProgress ?? (() => undefined));
  const signal = options.signal ?? new AbortController().signal;
  let context: StackContext;
  try {
    context = await prepareContext(options, layout, signal);
  } catch (error) {
    lock.release();
    throw error;
  }
  return run(context);
}

async function run(context: StackContext): Promise<RunningStack> {
  const { supervisor, closers, layout, signal } = context;
  const stop = async () => {
    await supervisor.stop();
    await Promise.all(closers.splice(0).map((close) => close()));
    await removeLeftoverMemory(layout.postgres);
  };
  // A start without parts soon fails and reports the end.
  const abort = () => void supervisor.stop();
  signal.addEventListener('abort', abort);
  try {
    const file = await startParts(context);
    signal.throwIfAborted();
    return {
      ...file,
      stop,
      force: () => {
        supervisor.force();
      },
      pidOf: (part) => supervisor.pidOf(part),
      specOf: (part) => supervisor.specOf(part),
      start: (part) => supervisor.start(part),
      end: (part) => supervisor.end(part),
      watcherPid: () => supervisor.watcherPid,
    };
  } catch (error) {
    await stop();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
