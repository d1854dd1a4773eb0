import type { Connection } from '@solana/web3.js';
import { Context } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { LandingSettings, LaunchDeps } from '../activities/launch/deps.ts';
import { createLanes, type FollowingSettings, type Lanes } from '../activities/money/lanes.ts';
import { storedTerms } from '../activities/launch/stored-terms.ts';
import { createSpendablePrices } from '../activities/trading/spendable-prices.ts';
import type { ExchangeAdapter } from '../chain/exchange/exchange-adapter.ts';
import type { Exchange } from '../chain/exchange/exchange.ts';
import type { LaunchBuilder } from '../chain/launch/launch-builder.ts';
import { newestSeed } from '../chain/keys/launch-keys.ts';
import { deriveReceiptKey, type ReceiptKey } from '../chain/keys/receipt-key.ts';
import { createConfiguredPrices } from '../chain/prices/configured-prices.ts';
import type { PriceSource } from '../chain/prices/price-source.ts';
import { createJitoRelay } from '../chain/relay/jito-relay.ts';
import { createLandingHints } from '../chain/rpc/landing-hints.ts';
import type { PlatformSigners } from '../chain/signers/platform-signers.ts';
import { createStore } from '../chain/storage/create-store.ts';
import type { PermanentStore } from '../chain/storage/permanent-store.ts';
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
import { createMarketSource, type MarketSource } from './market/market-source.ts';
import { createMarketMeters, type MarketMeterSet } from './market/meters.ts';
import { tracedLanes } from './traces/lane-spans.ts';
import { tracedRelay } from './traces/relay-spans.ts';

/** Fixed values until each becomes a setting. */
export const LANDING: LandingSettings = {
  // Ten times block engines' minimum.
  tipLamports: 100_000n,
  computeUnitPrice: 50_000n,
  pollMs: 100,
  // A leader's four slots last 1.6 s: the next one gets it again.
  resendMs: 2_000,
  resumeTries: 5,
};

/** Settings of the follower. Movements are followed together: their number does not matter. */
export const FOLLOWING: FollowingSettings = { pollMs: 1_000, resendMs: 2_000, patienceMs: 20_000 };

/** Dependencies of all activities, each made once. */
export interface Shared extends LaunchDeps {
  readonly config: WorkerConfig;
  readonly client: Client;
  readonly signers: PlatformSigners;
  /** Of the newest launch seed. */
  readonly receiptKey: ReceiptKey;
  readonly lanes: Lanes;
  readonly exchange: Exchange;
  readonly exchangeAt: (connection: Connection) => Exchange;
  readonly marketMeters: MarketMeterSet;
  readonly marketSource: MarketSource;
  readonly relayMeter: RelayMeter;
}

export interface SharedOptions {
  readonly landing?: LandingSettings;
  readonly following?: FollowingSettings;
  readonly exchange: ExchangeAdapter;
  /** Default: none. */
  readonly traces?: Traces | null;
}

/** Builds every adapter. The caller closes relay and hints. */
export function createShared(
  config: WorkerConfig,
  connections: Connections,
  logger: Logger,
  options: SharedOptions,
): Shared {
  const { db, rpc, genesisHash, signers, temporal: connection } = connections;
  const exchangeAt = (through: Connection) => options.exchange.open(through, genesisHash, rpc);
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
  const store = createStore(config.storage, config.siteUrl);
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
    receiptKey: deriveReceiptKey(newestSeed(seeds), context),
    exchange,
    exchangeAt,
    builder: builderOf(connections, exchange, options.exchange, store),
    relay: tracedRelay(relayMeter.counted(createJitoRelay({ url: config.blockEngineUrl })), traces),
    relayMeter,
    store,
    prices,
    spendablePrices: createSpendablePrices({ db, prices, now, maxDeviationBps: config.prices.maxDeviationBps }),
    devBuyHourUsd: config.devBuyHourUsd,
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
    marketMeters: createMarketMeters(now, logger),
    marketSource: createMarketSource(config, websocketOf(config)),
  };
}

function websocketOf({ solana: { rpcUrls, wsUrl } }: Pick<WorkerConfig, 'solana'>): string {
  return wsUrl ?? rpcUrls[0].replace(/^http/, 'ws');
}

function pricesOf(
  { prices }: WorkerConfig,
  { db, rpc }: Connections,
  { now, logger }: Pick<Shared, 'now' | 'logger'>,
): PriceSource {
  const currentSlot = () => rpc.reachedSlot('processed');
  return createConfiguredPrices(prices, {
    ...createPriceLookups(db),
    agreedTokens: (mints) => rpc.agreedTokens(mints),
    finalMoment: () => rpc.finalMoment(),
    currentSlot,
    now,
    logger,
  });
}

function builderOf(
  { db, rpc, signers }: Connections,
  exchange: Exchange,
  adapter: ExchangeAdapter,
  store: PermanentStore,
): LaunchBuilder {
  const { platform, treasury, rewards } = signers;
  return {
    exchange,
    wallets: { platform: platform.publicKey, rewards: rewards.publicKey },
    platform,
    treasury,
    // A cluster does not change while a worker runs.
    hasMetadataProgram: once(() => hasMetadataProgram(rpc)),
    rentFor: (bytes) => rpc.agreedRent(bytes),
    termsKey: async (terms) => store.keyOf(await storedTerms({ db, store }, terms)),
    lookupTables: adapter.lookupTables(rpc),
  };
}
