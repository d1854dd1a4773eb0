import type { Connection } from '@solana/web3.js';
import { Context } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { LandingSettings, LaunchDeps } from '../activities/launch/deps.ts';
import { createLanes, type FollowingSettings, type Lanes } from '../activities/money/lanes.ts';
import { createSteadyPrices } from '../activities/trading/steady-prices.ts';
import { createExchange, lookupTablesOf } from '../chain/exchange/create-exchange.ts';
import type { Exchange } from '../chain/exchange/exchange.ts';
import type { LaunchBuilder } from '../chain/launch/launch-builder.ts';
import { createConfiguredPrices } from '../chain/prices/configured-prices.ts';
import type { PriceSource } from '../chain/prices/price-source.ts';
import { createJitoRelay } from '../chain/relay/jito-relay.ts';
import { createLandingHints } from '../chain/rpc/landing-hints.ts';
import type { PlatformSigners } from '../chain/signers/platform-signers.ts';
import { createStore } from '../chain/storage/create-store.ts';
import { hasMetadataProgram } from '../chain/tokens/metaplex.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { createPriceLookups } from '../db/prices/price-lookups.ts';
import { once } from '../domain/once.ts';
import { startedWorkflows } from '../observe/traces/started-workflows.ts';
import type { Traces } from '../observe/traces/traces.ts';
import { startAirdrop } from '../workflows/airdrop/messages.ts';
import { MARKET_INDEX_WORKFLOW } from '../workflows/market/messages.ts';
import type { Connections } from './connections.ts';
import { createRelayMeter, type RelayMeter } from './launch/relay-meter.ts';
import { createMarketMeters, type MarketMeterSet } from './market/meters.ts';
import { tracedLanes } from './traces/lane-spans.ts';
import { tracedRelay } from './traces/relay-spans.ts';

/** What a landing costs and how closely it is followed, until each becomes a setting of its own. */
export const LANDING: LandingSettings = {
  // Ten times the least that block engines take; the launch price has room for it.
  tipLamports: 100_000n,
  computeUnitPrice: 50_000n,
  pollMs: 100,
  // A leader's four slots last 1.6 s: the next leader gets the bundle again.
  resendMs: 2_000,
  resumeTries: 5,
};

/** How movements of money are followed: all of a worker together, so that this is what they cost, however many there are. */
export const FOLLOWING: FollowingSettings = { pollMs: 1_000, resendMs: 2_000, patienceMs: 20_000 };

/** What the activities of all processes are made of, each part made once: what a launch takes, and what others take beside it. */
export interface Shared extends LaunchDeps {
  readonly config: WorkerConfig;
  /** Starts workflows, and signals them. */
  readonly client: Client;
  readonly signers: PlatformSigners;
  /** The lanes that money moves in. */
  readonly lanes: Lanes;
  readonly exchange: Exchange;
  /** The same through another connection. */
  readonly exchangeAt: (connection: Connection) => Exchange;
  /** Prices that money may be spent by. */
  readonly steadyPrices: PriceSource;
  readonly marketMeters: MarketMeterSet;
  readonly relayMeter: RelayMeter;
}

/** What not every worker has, and what tests set otherwise than a deployment. */
export interface SharedOptions {
  readonly landing?: LandingSettings;
  readonly following?: FollowingSettings;
  /** Default: the configured adapter. */
  readonly exchange?: Exchange;
  /** Where calls and movements are traced; default nowhere. */
  readonly traces?: Traces | null;
}

/** The composition root: builds every adapter from the configuration. Relay and hints are to be closed in the end. */
export function createShared(
  config: WorkerConfig,
  connections: Connections,
  logger: Logger,
  options: SharedOptions = {},
): Shared {
  const { db, rpc, genesisHash, signers, temporal: connection } = connections;
  const exchangeAt = (through: Connection) =>
    options.exchange ?? createExchange(config.exchange, through, genesisHash, rpc);
  const exchange = exchangeAt(rpc.connection);
  logger.info({ exchange: exchange.kind }, exchange.describe());
  const { traces = null } = options;
  const client = new Client({
    connection,
    namespace: config.temporal.namespace,
    interceptors: { workflow: startedWorkflows(traces, [MARKET_INDEX_WORKFLOW]) },
  });
  const now = () => new Date();
  const seeds = config.launchSeeds.map(({ id, key }) => ({ id, secret: key }));
  const context = { genesisHash, environment: config.environment };
  const following = options.following ?? FOLLOWING;
  const relayMeter = createRelayMeter();
  const prices = pricesOf(config, connections, { now, logger });
  return {
    db,
    rpc,
    logger,
    now,
    sleep: (ms) => Context.current().sleep(ms),
    heartbeat: () => Context.current().heartbeat(),
    config,
    client,
    signers,
    exchange,
    exchangeAt,
    builder: builderOf(config, connections, exchange),
    relay: tracedRelay(relayMeter.counted(createJitoRelay({ url: config.blockEngineUrl })), traces),
    relayMeter,
    store: createStore(config.storage, config.siteUrl),
    prices,
    steadyPrices: createSteadyPrices({ db, now, prices, maxDeviationBps: config.trading.maxDeviationBps }),
    priceToleranceBps: config.launch.priceToleranceBps,
    unpaidFiles: config.launch.unpaidFiles,
    seeds,
    context,
    lanes: tracedLanes(createLanes({ db, rpc, logger, authorities: signers, seeds, context, ...following }), traces),
    settings: options.landing ?? LANDING,
    hints: createLandingHints({
      url: websocketOf(config),
      onTrouble: (error) => logger.warn({ err: error }, 'nothing is heard of landings'),
    }),
    siteUrl: config.siteUrl,
    startAirdrop: (quoteId) => startAirdrop(client, quoteId),
    marketMeters: createMarketMeters(now),
  };
}

/** Where the chain tells of what happens, unless it is said beside the first RPC endpoint. */
function websocketOf({ solana: { rpcUrls, wsUrl } }: Pick<WorkerConfig, 'solana'>): string {
  return wsUrl ?? rpcUrls[0].replace(/^http/, 'ws');
}

function pricesOf(
  { prices }: WorkerConfig,
  { db, rpc }: Connections,
  { now, logger }: Pick<Shared, 'now' | 'logger'>,
): PriceSource {
  const currentSlot = () => rpc.reachedSlot('processed');
  return createConfiguredPrices(prices, { ...createPriceLookups(db), currentSlot, now, logger });
}

function builderOf(config: WorkerConfig, { rpc, signers }: Connections, exchange: Exchange): LaunchBuilder {
  const { platform, treasury, rewards } = signers;
  return {
    exchange,
    wallets: { platform: platform.publicKey, rewards: rewards.publicKey },
    platform,
    treasury,
    // A cluster does not gain or lose a program while a worker runs.
    hasMetadataProgram: once(() => hasMetadataProgram(rpc)),
    rentFor: (bytes) => rpc.agreedRent(bytes),
    lookupTables: lookupTablesOf(config.exchange, rpc.connection, rpc),
  };
}
