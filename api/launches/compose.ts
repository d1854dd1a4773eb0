import { NATIVE_MINT } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Client } from '@temporalio/client';
import { createExchange } from '../../chain/exchange/create-exchange.ts';
import {
  createPriceSource,
  type PriceFeed,
  type PriceReader,
  type PriceSource,
} from '../../chain/prices/price-source.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { tokenBalance } from '../../chain/tokens/token-balance.ts';
import { createLocalStore } from '../../chain/storage/local-store.ts';
import type { ApiConfig } from '../../config/api.ts';
import type { Db } from '../../db/connect.ts';
import { createPairRepository } from '../../db/pairs.ts';
import { createPriceRepository } from '../../db/prices.ts';
import type { LaunchApiDeps } from './deps.ts';
import { createLaunchStarter } from './launch-starter.ts';
import { createQuoteSealer, type QuoteKey } from './sealed-quote.ts';

/** Base price of a launch: rent of mint, pool, positions and locks, fees and tip, with room for a busy hour. */
export const BASE_LAMPORTS = 290_000_000n;

/** Priority fee of the payment, in micro-lamports per compute unit. */
export const PAYMENT_COMPUTE_UNIT_PRICE = 50_000n;

/** SOL is no quote token, so it has no row among the pairs. */
const SOL_FEED: PriceFeed = {
  ...{ kind: 'fixed', id: NATIVE_MINT.toBase58(), maxAgeMs: 60_000, maxConfidenceBps: 100 },
};

/** Builds what the launch endpoints need from the configuration. */
export function composeLaunching(
  config: ApiConfig,
  parts: { readonly db: Db; readonly rpc: Rpc; readonly client: Client; readonly genesisHash: string },
): LaunchApiDeps {
  const { db, rpc, client, genesisHash } = parts;
  const scope = { environment: config.environment, genesisHash };
  return {
    ...{ scope, rpc },
    sealer: createQuoteSealer(quoteKeysOf(config), scope),
    prices: pricesOf(db),
    exchange: createExchange(config.exchange, rpc.connection, genesisHash),
    store: createLocalStore({ directory: config.storeDir, siteUrl: config.siteUrl }),
    starter: createLaunchStarter(client),
    inventory: inventoryOf(config, rpc),
    pricing: { baseLamports: BASE_LAMPORTS, computeUnitPrice: PAYMENT_COMPUTE_UNIT_PRICE },
  };
}

/** An API that is not told the treasury's address cannot see any inventory, and offers no dev buys. */
function inventoryOf({ treasuryAddress }: ApiConfig, rpc: Rpc): LaunchApiDeps['inventory'] {
  if (treasuryAddress === undefined) return () => Promise.resolve(0n);
  return (quote) => tokenBalance(rpc.connection, quote, new PublicKey(treasuryAddress));
}

function quoteKeysOf({ quoteKeys }: ApiConfig): [QuoteKey, ...QuoteKey[]] {
  const [first, ...others] = quoteKeys.map(({ id, key }) => ({ id, secret: key }));
  if (first === undefined) throw new Error('QUOTE_KEYS names no key');
  return [first, ...others];
}

/** Prices of listed pairs from the source that each names. */
function pricesOf(db: Db): PriceSource {
  const pairs = createPairRepository(db);
  const now = () => new Date();
  return createPriceSource({
    feedOf: async (mint) => {
      if (mint === NATIVE_MINT.toBase58()) return SOL_FEED;
      const pair = await pairs.byMint(mint);
      if (!pair) return null;
      const { priceSource: kind, priceMaxAgeMs: maxAgeMs, priceMaxConfidenceBps } = pair;
      // A price set by hand has no name at a source but the mint itself.
      const id = kind === 'fixed' ? mint : pair.priceSourceId;
      return { kind, id, maxAgeMs, maxConfidenceBps: priceMaxConfidenceBps };
    },
    readers: { fixed: fixedReader(db, now) },
    now,
  });
}

/** A price set by hand holds until it is set anew, so it is never too old. */
function fixedReader(db: Db, now: () => Date): PriceReader {
  return async (mint) => {
    const price = await createPriceRepository(db).latest(mint);
    if (price?.source !== 'fixed') throw new Error(`no price is set for ${mint}`);
    return { usd: price.usd, observedAt: now(), confidenceBps: 0 };
  };
}
