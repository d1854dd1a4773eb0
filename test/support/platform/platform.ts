import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection as TemporalConnection, Client } from '@temporalio/client';
import { Connection } from '@solana/web3.js';
import { pino } from 'pino';
import type { LandingSettings } from '../../../activities/launch/deps.ts';
import type { FollowingSettings } from '../../../activities/money/lanes.ts';
import type { ApiInstance } from '../../../api/instance.ts';
import type { ExchangeAdapter } from '../../../chain/exchange/exchange-adapter.ts';
import type { Exchange } from '../../../chain/exchange/exchange.ts';
import type { Variables } from '../../../config/environment.ts';
import { readWorkerConfig } from '../../../config/worker.ts';
import { connect, type Db } from '../../../db/connect.ts';
import { claimEnvironment } from '../../../db/platform/environment.ts';
import { type BlockEngine, startBlockEngine } from '../../../dev/block-engine/block-engine.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { seedStack } from '../../../dev/seed/index.ts';
import { NO_TABLE } from '../../../dev/local/local-service.ts';
import { standInOf } from '../exchange/stand-in-of.ts';
import { endSubscriptions } from '../clients/end-subscriptions.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { startApi } from './api.ts';
import { captureLog, type CapturedLog } from './captured-log.ts';
import { startTestWorker, type TestWorker } from './launch-worker.ts';
import { addressOf, createSecrets, type PlatformSecrets } from './secrets.ts';
import { createStepGate, type StepGate } from './step-gate.ts';
import { createNamespace, type TestNamespace } from './temporal-namespace.ts';

/** Pace of a test platform's chain, ms per slot: a blockhash lives 30 s, so that a busy machine can launch too. */
export const SLOT_MS = 200;

/** Slots from processed to finalized on a test platform: a bit more than a second, since most of what tests do is to wait for it. */
const FEW_SLOTS_TO_FINALIZE = 6;

/** How a test platform differs from the usual one. */
export interface PlatformOptions {
  /** ms per slot; default `SLOT_MS`. */
  readonly slotMs?: number;
  /** Slots from processed to finalized; default `FEW_SLOTS_TO_FINALIZE`. */
  readonly slotsToFinalize?: number;
  /** Variables of API and worker that replace the usual ones. */
  readonly variables?: Variables;
  /** Keys of the platform; default: fresh ones. They are what the wallets are funded for, wherever the worker finds them. */
  readonly secrets?: PlatformSecrets;
  readonly landing?: Partial<LandingSettings>;
  /** Holders of the quote token that airdrops go to; default 200, enough for the smallest tier. */
  readonly holders?: number;
  /** Names of the RPC endpoints that API and worker ask, each with faults of its own; default the chain's first one alone. */
  readonly endpoints?: readonly string[];
  /** Folder with real programs that the chain gets; default none. */
  readonly programsDir?: string;
  /** Puts another exchange than the local one on the chain. */
  readonly openExchange?: (ground: ExchangeFixture) => Promise<OpenedExchange>;
}

/** What another exchange is put on. */
export interface ExchangeFixture {
  readonly chain: Localnet;
  readonly secrets: PlatformSecrets;
}

/** Another exchange than the local one: variables that choose it, and its adapter. */
export interface OpenedExchange {
  readonly variables: Variables;
  readonly adapter: ExchangeAdapter;
}

/** The whole platform in this process: chain, block engine, database, Temporal, worker and API. */
export interface Platform {
  readonly chain: Localnet;
  readonly engine: BlockEngine;
  readonly db: Db;
  readonly temporal: TestNamespace;
  /** Reads and drives workflows as a tool of the operator would. */
  readonly client: Client;
  readonly api: ApiInstance;
  readonly worker: TestWorker;
  readonly gate: StepGate;
  readonly log: CapturedLog;
  readonly secrets: PlatformSecrets;
  /** What API and worker were configured with. */
  readonly variables: Variables;
  /** Reads the chain without any code of the platform's own. */
  readonly connection: Connection;
  readonly exchange: Exchange;
  readonly adapter: ExchangeAdapter;
  /** No fault of the block engine, no held step and the usual pace, whatever the test before left. */
  calm(): void;
  close(): Promise<void>;
}

/** Follows a landing as closely as short slots need. */
export const LANDING: LandingSettings = {
  tipLamports: 100_000n,
  computeUnitPrice: 50_000n,
  pollMs: 20,
  resendMs: 150,
  resumeTries: 3,
};

/** Follows movements as closely. */
export const FOLLOWING: FollowingSettings = { pollMs: 60, resendMs: 150, patienceMs: 3_000 };

/** Starts a platform with seeded pairs and funded platform wallets. Its `close` leaves nothing. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return { ...(await start(options, (closer) => closers.push(closer))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type OnClose = (closer: () => Promise<unknown>) => unknown;

async function start(options: PlatformOptions, onClose: OnClose): Promise<Omit<Platform, 'close'>> {
  const log = captureLog();
  const logger = pino({ level: 'debug', base: { process: 'worker' } }, log.destination);
  const secrets = options.secrets ?? createSecrets();
  // The namespace takes longest, so everything else is made meanwhile.
  const [temporal, ground] = await Promise.all([createNamespace(logger), startFixture(secrets, options, onClose)]);
  const { chain, engine, database, directory } = ground;
  const opened = await options.openExchange?.({ chain, secrets });
  const variables: Variables = {
    ENVIRONMENT: 'test',
    LOG_LEVEL: 'debug',
    SITE_URL: 'https://slipway.site',
    LOOKUP_TABLE: NO_TABLE,
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '20',
    STORE_DIR: directory,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    SOLANA_RPC_URL: endpointsOf(chain, options),
    SOLANA_WS_URL: chain.wsUrl,
    BLOCK_ENGINE_URL: engine.url,
    RATE_LIMIT_API: '1000000',
    RATE_LIMIT_LAUNCH_PREPARE: '1000000',
    SUBMIT_WAIT_SECONDS: '60',
    CLAIMABLE_SECONDS: '0',
    DEV_BUY_HOUR_USD: '1000000000',
    UNPAID_LAUNCHES_PER_WALLET: '1000000',
    UNPAID_LAUNCHES_PER_ADDRESS: '1000000',
    UNPAID_LAUNCHES_PER_NETWORK: '1000000',
    UNPAID_LAUNCHES_IN_ALL: '1000000',
    UNPAID_FILES_PER_WALLET: '1000000',
    UNPAID_FILES_PER_ADDRESS: '1000000',
    UNPAID_FILES_PER_NETWORK: '1000000',
    SHUTDOWN_GRACE_SECONDS: '1',
    TREASURY_ADDRESS: addressOf(secrets.TREASURY_SECRET_KEY),
    ...secrets,
    ...opened?.variables,
    ...options.variables,
  };
  const db = connect(database.url, { applicationName: 'test' });
  onClose(() => db.destroy());
  await claimEnvironment(db, { environment: 'test', genesisHash: chain.genesisHash });
  const gate = createStepGate();
  const config = readWorkerConfig(variables);
  const connection = new Connection(chain.rpcUrl, 'confirmed');
  onClose(() => Promise.resolve(endSubscriptions(connection)));
  const adapter = opened?.adapter ?? standInOf(variables);
  const exchange = adapter.open(connection, chain.genesisHash);
  const landing = { ...LANDING, ...options.landing };
  const worker = await startTestWorker({
    config,
    logger,
    gate,
    landing,
    following: FOLLOWING,
    exchange: adapter,
  });
  onClose(() => worker.stop());
  const api = await startApi(variables, log, adapter);
  onClose(() => api.close());
  return {
    chain,
    engine,
    db,
    temporal,
    api,
    worker,
    gate,
    log,
    secrets,
    variables,
    connection,
    exchange,
    adapter,
    client: await openClient(temporal, onClose),
    calm: () => {
      engine.setFault({ fault: 'none' });
      chain.control.setSlotMs(options.slotMs ?? SLOT_MS);
      gate.openAll();
    },
  };
}

async function startFixture(secrets: PlatformSecrets, options: PlatformOptions, onClose: OnClose) {
  const { slotMs = SLOT_MS, slotsToFinalize = FEW_SLOTS_TO_FINALIZE, programsDir, holders = 200 } = options;
  const database = await createTestDatabase();
  onClose(() => database.drop());
  const directory = await mkdtemp(join(tmpdir(), 'slipway-platform-'));
  onClose(() => rm(directory, { recursive: true, force: true }));
  const chain = await startLocalnet({
    slotMs,
    slotsToFinalize,
    stream: { port: 0 },
    ...(programsDir !== undefined && { programsDir }),
  });
  onClose(() => chain.close());
  const engine = await startBlockEngine({ port: 0, rpcUrl: chain.rpcUrl });
  onClose(() => engine.close());
  await seedStack({
    rpcUrl: chain.rpcUrl,
    databaseUrl: database.url,
    onProgress: () => undefined,
    treasury: addressOf(secrets.TREASURY_SECRET_KEY),
    platform: addressOf(secrets.PLATFORM_SECRET_KEY),
    rewards: addressOf(secrets.REWARDS_SECRET_KEY),
    environment: 'test',
    seedId: secrets.LAUNCH_SEEDS.split(':')[0] ?? '',
    holders,
  });
  return { database, directory, chain, engine };
}

function endpointsOf({ rpcUrl }: Localnet, { endpoints }: PlatformOptions): string {
  return endpoints?.map((name) => `${rpcUrl}/rpc/${name}`).join(',') ?? rpcUrl;
}

async function openClient({ address, namespace }: TestNamespace, onClose: OnClose): Promise<Client> {
  const connection = await TemporalConnection.connect({ address });
  onClose(() => connection.close());
  return new Client({ connection, namespace });
}
