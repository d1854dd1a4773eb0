import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { pino } from 'pino';
import type { LaunchDeps } from '../../../activities/launch/activities.ts';
import { createLanes, type Lanes } from '../../../activities/money/lanes.ts';
import { createSpendablePrices } from '../../../activities/trading/spendable-prices.ts';
import { createJitoRelay } from '../../../chain/relay/jito-relay.ts';
import { NO_HINTS } from '../../../chain/rpc/landing-hints.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { createConfiguredPrices } from '../../../chain/prices/configured-prices.ts';
import { createStore } from '../../../chain/storage/create-store.ts';
import { withoutLookupTables } from '../../../chain/transactions/lookup-table.ts';
import { readWorkerConfig } from '../../../config/worker.ts';
import { createPriceLookups } from '../../../db/prices/price-lookups.ts';
import { storedTerms } from '../../../activities/launch/stored-terms.ts';
import { FOLLOWING, LANDING, type Platform } from './platform.ts';

/** How the steps differ from those of the platform's own worker. */
export interface OwnDepsOptions {
  /** JSON-RPC endpoints; default: the platform's chain. */
  readonly endpoints?: readonly string[];
}

/** The lanes as a worker with this connection to database and chain has them. */
export function ownLanes({ chain, variables, secrets }: Platform, { db, rpc }: Pick<LaunchDeps, 'db' | 'rpc'>): Lanes {
  const config = readWorkerConfig(variables);
  const keypair = (secret: string): Keypair => Keypair.fromSecretKey(bs58.decode(secret));
  return createLanes({
    db,
    rpc,
    logger: pino({ level: 'silent' }),
    authorities: { platform: keypair(secrets.PLATFORM_SECRET_KEY), treasury: keypair(secrets.TREASURY_SECRET_KEY) },
    seeds: config.launchSeeds.map(({ id, key }) => ({ id, secret: key })),
    context: { genesisHash: chain.genesisHash, environment: config.environment },
    ...FOLLOWING,
  });
}

/**
 * What the steps of a launch need, to call one of them by hand: a second worker that Temporal has given up on, or one that
 * is lied to. Its `close` ends its connection to the block engine.
 */
export function launchDepsOf(platform: Platform, options: OwnDepsOptions = {}): LaunchDeps & { close(): void } {
  const { db, chain, engine, exchange, variables, secrets } = platform;
  const config = readWorkerConfig(variables);
  const keypair = (secret: string): Keypair => Keypair.fromSecretKey(bs58.decode(secret));
  const [own, treasury, rewards] = [
    keypair(secrets.PLATFORM_SECRET_KEY),
    keypair(secrets.TREASURY_SECRET_KEY),
    keypair(secrets.REWARDS_SECRET_KEY),
  ];
  const rpc = createRpc({ endpoints: options.endpoints ?? [chain.rpcUrl] });
  const relay = createJitoRelay({ url: engine.url });
  const logger = pino({ level: 'silent' });
  const seeds = config.launchSeeds.map(({ id, key }) => ({ id, secret: key }));
  const context = { genesisHash: chain.genesisHash, environment: config.environment };
  const lanes = ownLanes(platform, { db, rpc });
  const prices = createConfiguredPrices(config.prices, {
    ...createPriceLookups(db),
    agreedTokens: (mints) => rpc.agreedTokens(mints),
    finalMoment: () => rpc.finalMoment(),
    currentSlot: async () => (await rpc.head('processed')).slot,
    now: () => new Date(),
    logger,
  });
  const store = createStore(config.storage, config.siteUrl);
  return {
    db,
    rpc,
    lanes,
    relay,
    seeds,
    context,
    settings: LANDING,
    hints: NO_HINTS,
    prices,
    spendablePrices: createSpendablePrices({
      db,
      prices,
      now: () => new Date(),
      maxDeviationBps: config.prices.maxDeviationBps,
    }),
    devBuyHourUsd: config.devBuyHourUsd,
    priceToleranceBps: config.launch.priceToleranceBps,
    unpaidFiles: config.launch.unpaidFiles,
    siteUrl: config.siteUrl,
    logger,
    builder: {
      exchange,
      treasury,
      platform: own,
      wallets: { platform: own.publicKey, rewards: rewards.publicKey },
      hasMetadataProgram: () => Promise.resolve(false),
      rentFor: async (bytes) => BigInt(await rpc.connection.getMinimumBalanceForRentExemption(bytes)),
      termsKey: async (terms) => store.keyOf(await storedTerms({ db, store }, terms)),
      lookupTables: withoutLookupTables,
    },
    store,
    now: () => new Date(),
    sleep: async (ms) => void (await sleep(ms)),
    startAirdrop: () => Promise.resolve(),
    heartbeat: () => undefined,
    close: () => relay.close(),
  };
}
