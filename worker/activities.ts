import { Context } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { type ClaimActivities, type ClaimDeps, createClaimActivities } from '../activities/claim/activities.ts';
import { type ClaimJanitorActivities, createClaimJanitorActivities } from '../activities/claim/janitor.ts';
import { type ClaimNonceActivities, createClaimNonceActivities } from '../activities/claim/nonce.ts';
import {
  type AirdropActivities,
  type AirdropSettings,
  createAirdropActivities,
} from '../activities/airdrop/activities.ts';
import { createLaunchActivities, type LaunchActivities, type LaunchDeps } from '../activities/launch/activities.ts';
import type { BuybackActivities } from '../activities/buyback/activities.ts';
import type { FeeSweepActivities } from '../activities/fee-sweep/activities.ts';
import { createJanitorActivities, type JanitorActivities } from '../activities/launch/janitor.ts';
import type { RestockActivities } from '../activities/restock/activities.ts';
import type { RewardActivities } from '../activities/reward/activities.ts';
import { createSweepActivities, type SweepActivities } from '../activities/launch/empty-wallets.ts';
import { createExchange, lookupTablesOf } from '../chain/exchange/create-exchange.ts';
import type { Exchange } from '../chain/exchange/exchange.ts';
import type { LaunchBuilder } from '../chain/launch/launch-builder.ts';
import { createJitoRelay } from '../chain/relay/jito-relay.ts';
import { createConfiguredPrices } from '../chain/prices/configured-prices.ts';
import { createStore } from '../chain/storage/create-store.ts';
import { hasMetadataProgram } from '../chain/tokens/metaplex.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { createPriceLookups } from '../db/prices/price-lookups.ts';
import { airdropStarter } from './airdrop-starter.ts';
import { createBuybackMeters } from './buyback-meters.ts';
import { buybackWork } from './buyback-work.ts';
import { createClaimWaker } from './claim-starter.ts';
import type { Connections } from './connections.ts';
import { feeSweepWork } from './fee-sweep-work.ts';
import { restockWork } from './restock-work.ts';
import { launchStarter } from './launch-starter.ts';
import { marketWork, type MarketWork } from './market-work.ts';
import { createRewardMeters } from './reward-meters.ts';
import { rewardWork } from './reward-work.ts';

/** What a landing costs and how closely it is followed, until each becomes a setting of its own. */
export const LANDING: LaunchDeps['settings'] = {
  // Ten times the least that block engines take; the launch price has room for it.
  tipLamports: 100_000n,
  computeUnitPrice: 50_000n,
  pollMs: 100,
  // A leader's four slots last 1.6 s: the next leader gets the bundle again.
  resendMs: 2_000,
  resumeTries: 5,
};

/** A batch that many others wait beside is looked at less often than a launch. */
const LOOKS_PER_AIRDROP_LOOK = 5;

type LaunchWork = LaunchActivities & JanitorActivities & SweepActivities & AirdropActivities;
type RoundsWork = RestockActivities & FeeSweepActivities & RewardActivities & BuybackActivities;
type ClaimWork = ClaimActivities & ClaimNonceActivities & ClaimJanitorActivities;

/** The activities of both task queues, and what must be closed after the last of them has ended. */
export interface ActivitySet {
  readonly activities: LaunchWork & ClaimWork & RoundsWork & MarketWork['activities'];
  /** What the activities count. */
  readonly counted: MarketWork['metrics'];
  readonly close: () => void;
}

/** What tests set otherwise than a deployment. */
export interface ActivityOptions {
  readonly landing?: LaunchDeps['settings'];
  /** Default: the configured adapter. */
  readonly exchange?: Exchange;
}

/** The composition root: builds every adapter from the configuration and hands it to the activities. */
export function createActivities(
  config: WorkerConfig,
  connections: Connections,
  logger: Logger,
  { landing = LANDING, exchange }: ActivityOptions = {},
): ActivitySet {
  const { db, rpc, genesisHash } = connections;
  const builder = builderOf(config, connections, exchange);
  logger.info({ exchange: builder.exchange.kind }, builder.exchange.describe());
  const relay = createJitoRelay({ url: config.blockEngineUrl });
  const now = () => new Date();
  const client = new Client({ connection: connections.temporal, namespace: config.temporal.namespace });
  const launchDeps: LaunchDeps = {
    db,
    rpc,
    relay,
    builder,
    store: createStore(config.storage, config.siteUrl),
    seeds: config.launchSeeds.map(({ id, key }) => ({ id, secret: key })),
    context: { genesisHash, environment: config.environment },
    settings: landing,
    prices: createConfiguredPrices(config.prices, {
      ...createPriceLookups(db),
      currentSlot: async () => (await rpc.head('processed')).slot,
      now,
      logger,
    }),
    priceToleranceBps: config.priceToleranceBps,
    startAirdrop: airdropStarter(client),
    siteUrl: config.siteUrl,
    logger,
    now,
    sleep: (ms) => Context.current().sleep(ms),
    heartbeat: () => Context.current().heartbeat(),
  };
  const launch = createLaunchActivities(launchDeps);
  const airdrops = createAirdropActivities({ ...launchDeps, airdrop: airdropSettings(config, landing) });
  const sweep = createSweepActivities(launchDeps);
  const { startAirdrop, heartbeat } = launchDeps;
  const startLaunch = launchStarter(client);
  const janitor = createJanitorActivities({ db, startLaunch, startAirdrop, now, logger, heartbeat });
  const claims = claimWork(config, launchDeps, client);
  const restock = restockWork(config, connections, launchDeps);
  const fees = feeSweepWork(config, connections, { ...launchDeps, exchange: builder.exchange });
  const buyback = buybackWork(config, connections, { ...launchDeps, exchange: builder.exchange });
  const rewards = rewardWork(config, connections, { ...launchDeps, exchange: builder.exchange });
  const market = marketWork(config, connections, { client, exchange: builder.exchange, logger });
  return {
    activities: {
      ...launch,
      ...airdrops,
      ...janitor,
      ...sweep,
      ...claims,
      ...restock,
      ...fees,
      ...buyback,
      ...rewards,
      ...market.activities,
    },
    counted: [...market.metrics, ...createRewardMeters(db, now), ...createBuybackMeters(db)],
    close: () => relay.close(),
  };
}

function airdropSettings({ airdropBatches }: WorkerConfig, landing: LaunchDeps['settings']): AirdropSettings {
  const { pollMs, resendMs } = landing;
  return { batchesAtOnce: airdropBatches, follow: { resendMs, pollMs: pollMs * LOOKS_PER_AIRDROP_LOOK } };
}

/** Claims follow the chain as launches do; only their patience is their own. */
function claimWork(config: WorkerConfig, launchDeps: LaunchDeps, client: Client): ClaimWork {
  const { builder, settings, db, logger } = launchDeps;
  const { exchange, platform } = builder;
  const deps: ClaimDeps = {
    ...launchDeps,
    exchange,
    platform,
    settings: { ...settings, killAfterMs: config.claimRelayMs },
  };
  return {
    ...createClaimActivities(deps),
    ...createClaimNonceActivities(deps),
    ...createClaimJanitorActivities({ db, starter: createClaimWaker(client), logger }),
  };
}

function builderOf(
  config: WorkerConfig,
  { rpc, genesisHash, signers }: Connections,
  exchange = createExchange(config.exchange, rpc.connection, genesisHash),
): LaunchBuilder {
  const { platform, treasury, rewards } = signers;
  return {
    exchange,
    wallets: { platform: platform.publicKey, rewards: rewards.publicKey },
    platform,
    treasury,
    hasMetadataProgram: once(() => hasMetadataProgram(rpc.connection)),
    rentFor: async (bytes) => BigInt(await rpc.connection.getMinimumBalanceForRentExemption(bytes)),
    lookupTables: lookupTablesOf(config.exchange, rpc.connection),
  };
}

/** Asks until it was answered once; a cluster does not gain or lose a program while a worker runs. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () =>
    (answer ??= ask().catch((error: unknown) => {
      answer = undefined;
      throw error;
    }));
}
