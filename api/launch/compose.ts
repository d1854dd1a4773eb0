import { PublicKey } from '@solana/web3.js';
import type { Client } from '@temporalio/client';
import type { FastifyBaseLogger } from 'fastify';
import { createExchange, lookupTablesOf } from '../../chain/exchange/create-exchange.ts';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import { followNetworkFees, type NetworkFees } from '../../chain/network-fees/network-fees.ts';
import { createConfiguredPrices } from '../../chain/prices/configured-prices.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { HOLDER_SOURCES } from '../../chain/tokens/holder-source.ts';
import { tokenBalance } from '../../chain/tokens/token-balance.ts';
import { createStore } from '../../chain/storage/create-store.ts';
import type { ApiConfig } from '../../config/api.ts';
import type { Db } from '../../db/connect.ts';
import { reservedDevBuys } from '../../db/inventory/dev-buy-reservations.ts';
import * as pairInventory from '../../db/inventory/pair-inventory.ts';
import { createPriceLookups } from '../../db/prices/price-lookups.ts';
import { availableRaw } from '../../domain/inventory.ts';
import { BASE_LAMPORTS } from '../../domain/launch/launch-price.ts';
import type { LaunchApiDeps } from './deps.ts';
import type { FeeMeter } from '../metrics/dependency-meters.ts';
import { createHolderSnapshots, type HolderSnapshots } from './holder-snapshots.ts';
import { createLaunchStarter } from './launch-starter.ts';
import { createQuoteSealer, type QuoteKey } from './sealed-quote.ts';

/** What the launch endpoints are built on. */
export interface LaunchingParts {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly client: Client;
  readonly genesisHash: string;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
  /** Told how each read of tips and priority fees went. */
  readonly onFeeRead?: FeeMeter['read'];
  /** Default: the configured adapter. */
  readonly exchange?: Exchange;
}

/** Builds what the launch endpoints need from the configuration. */
export function composeLaunching(config: ApiConfig, parts: LaunchingParts): LaunchApiDeps {
  const { db, rpc, client, genesisHash } = parts;
  const scope = { environment: config.environment, genesisHash };
  return {
    scope,
    rpc,
    sealer: createQuoteSealer(quoteKeysOf(config), scope),
    prices: pricesOf(config, parts),
    exchange: parts.exchange ?? createExchange(config.exchange, rpc.connection, genesisHash),
    lookupTables: lookupTablesOf(config.exchange, rpc.connection),
    store: createStore(config.storage, config.siteUrl),
    starter: createLaunchStarter(client),
    holders: holdersOf(config, parts),
    inventory: inventoryOf(config, db, rpc),
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
        'holders of a quote token cannot be read anew; those read before are used for less than a minute',
      );
    },
  });
}

/** An API that is not told the treasury's address cannot see any inventory, and offers no dev buys. */
function inventoryOf({ treasuryAddress }: ApiConfig, db: Db, rpc: Rpc): LaunchApiDeps['inventory'] {
  if (treasuryAddress === undefined) return () => Promise.resolve(0n);
  const treasury = new PublicKey(treasuryAddress);
  return async (quote) => {
    const mint = quote.mint.toBase58();
    const [balanceRaw, reservedRaw, { reserveRaw }] = await Promise.all([
      tokenBalance(rpc.connection, quote, treasury),
      reservedDevBuys(db, mint),
      pairInventory.byMint(db, mint),
    ]);
    return availableRaw({ balanceRaw, reservedRaw, reserveRaw });
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
    currentSlot: () => rpc.reachedSlot('processed'),
    now: () => new Date(),
    logger,
  });
}
