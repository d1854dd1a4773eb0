import { PublicKey } from '@solana/web3.js';
import type { Client } from '@temporalio/client';
import type { FastifyBaseLogger } from 'fastify';
import type { ExchangeAdapter } from '../../chain/exchange/exchange-adapter.ts';
import { followNetworkFees, type NetworkFees } from '../../chain/network-fees/network-fees.ts';
import { createConfiguredPrices } from '../../chain/prices/configured-prices.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { HOLDER_SOURCES } from '../../chain/tokens/holder-source.ts';
import { readBalance } from '../../chain/tokens/token-balance.ts';
import { createStore } from '../../chain/storage/create-store.ts';
import type { ApiConfig } from '../../config/api.ts';
import type { Db } from '../../db/connect.ts';
import { stockOf } from '../../db/inventory/stock.ts';
import { createPriceLookups } from '../../db/prices/price-lookups.ts';
import { spendableOf } from '../../db/prices/steady-prices.ts';
import { devBuyObstacle } from '../../domain/launch/dev-buy-stock.ts';
import { tokenBalance } from '../../domain/token-balance.ts';
import { BASE_LAMPORTS } from '../../domain/launch/launch-price.ts';
import type { LaunchApiDeps } from './deps.ts';
import type { FeeMeter } from '../metrics/dependency-meters.ts';
import { createHolderSnapshots, type HolderSnapshots } from './holder-snapshots.ts';
import { createLaunchStarter } from './launch-starter.ts';
import { createQuoteSealer, type QuoteKey } from './sealed-quote.ts';

export interface LaunchingParts {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly client: Client;
  readonly genesisHash: string;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
  /** After each read of tips and priority fees. */
  readonly onFeeRead?: FeeMeter['read'];
  readonly exchange: ExchangeAdapter;
}

export function composeLaunching(config: ApiConfig, parts: LaunchingParts): LaunchApiDeps {
  const { db, rpc, client, genesisHash } = parts;
  const prices = pricesOf(config, parts);
  const scope = { environment: config.environment, genesisHash };
  return {
    scope,
    rpc,
    sealer: createQuoteSealer(quoteKeysOf(config), scope),
    prices,
    spendablePrices: spendableBy(config, db, prices),
    exchange: parts.exchange.open(rpc.connection, genesisHash),
    lookupTables: parts.exchange.lookupTables(rpc),
    store: createStore(config.storage, config.siteUrl),
    starter: createLaunchStarter(client),
    holders: holdersOf(config, parts),
    stockObstacle: stockObstacleOf(config, db, rpc),
    pricing: { baseLamports: BASE_LAMPORTS, networkFees: networkFeesOf(config, parts) },
  };
}

function networkFeesOf(
  { networkFees }: ApiConfig,
  { rpc, logger, onFeeRead }: LaunchingParts,
): () => Promise<NetworkFees> {
  return followNetworkFees(networkFees, {
    connection: rpc.connection,
    onAnswer: (what) => onFeeRead?.(what, 'answered'),
    onFailure: (what, error) => {
      onFeeRead?.(what, 'failed');
      logger.warn({ err: error }, `${what} cannot be read; launches pay the configured least`);
    },
    now: Date.now,
  });
}

function holdersOf({ treasuryAddress, holderSource }: ApiConfig, { db, rpc, logger }: LaunchingParts): HolderSnapshots {
  return createHolderSnapshots({
    rpc,
    db,
    treasury: treasuryAddress,
    source: HOLDER_SOURCES[holderSource],
    onFailure: (error, { mint }) => {
      logger.warn(
        { err: error, mint },
        'holders of a quote token cannot be read again; those read before are used for less than a minute',
      );
    },
  });
}

function stockObstacleOf(
  { treasuryAddress, devBuyHourUsd }: ApiConfig,
  db: Db,
  rpc: Rpc,
): LaunchApiDeps['stockObstacle'] {
  const treasury = treasuryAddress === undefined ? null : new PublicKey(treasuryAddress);
  return async (quote, symbol, neededRaw) => {
    const balance = async () =>
      treasury === null ? tokenBalance('absent', 0n) : readBalance(rpc.connection, quote, treasury);
    return devBuyObstacle(await stockOf(db, quote.mint.toBase58(), balance), neededRaw, symbol, devBuyHourUsd);
  };
}

/** Reads prices that the worker recorded: the API's role cannot add any. */
function spendableBy(
  { prices: { maxDeviationBps } }: ApiConfig,
  db: Db,
  prices: PriceSource,
): LaunchApiDeps['spendablePrices'] {
  const clockProblem = () => prices.clockProblem();
  return {
    of: async (mint) => spendableOf(db, await prices.spotUsd(mint), { mint, maxDeviationBps, clockProblem }),
  };
}

function quoteKeysOf({ quoteKeys }: ApiConfig): [QuoteKey, ...QuoteKey[]] {
  const [first, ...others] = quoteKeys.map(({ id, key }) => ({ id, secret: key }));
  if (first === undefined) throw new Error('QUOTE_KEYS names no key');
  return [first, ...others];
}

function pricesOf({ prices }: ApiConfig, { db, rpc, logger }: LaunchingParts): PriceSource {
  return createConfiguredPrices(prices, {
    ...createPriceLookups(db),
    agreedTokens: (mints) => rpc.agreedTokens(mints),
    finalMoment: () => rpc.finalMoment(),
    currentSlot: () => rpc.reachedSlot('processed'),
    now: () => new Date(),
    logger,
  });
}
