import { NATIVE_MINT } from '@solana/spl-token';
import { type FixedUsd, fixedPriceReader } from './fixed-prices.ts';
import { jupiterPriceReader } from './jupiter-prices.ts';
import {
  createPriceSource,
  type PriceFeed,
  type PriceKind,
  type PriceReader,
  type PriceSource,
} from './price-source.ts';
import { pythPriceReader } from './pyth-prices.ts';
import { rememberedReader } from './remembered-reader.ts';

/** Pyth's feed Crypto.SOL/USD; the same on every cluster. @see https://docs.pyth.network/price-feeds/core/price-feeds */
export const PYTH_SOL_USD = 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d';

interface KeyedService {
  readonly url: string;
  readonly key: string | undefined;
}

/** Which sources a deployment uses, and the limits of SOL's price. */
export interface PriceSettings {
  /** Source of the price of SOL; `fixed` stands for all prices. */
  readonly source: PriceKind;
  readonly maxAgeMs: number;
  readonly maxConfidenceBps: number;
  readonly pyth: KeyedService;
  readonly jupiter: KeyedService;
}

/** The price columns of a listed pair. */
export interface PairPrice {
  readonly priceSource: PriceKind;
  readonly priceSourceId: string;
  readonly priceMaxAgeMs: number;
  readonly priceMaxConfidenceBps: number;
}

/** Where failures of price services are noted. */
export interface PriceLog {
  warn(fields: { readonly err: unknown }, message: string): void;
}

/** What prices are looked up with. */
export interface PriceDeps {
  readonly pairOf: (mint: string) => Promise<PairPrice | null>;
  readonly fixedUsdOf: FixedUsd;
  /** Present slot of the cluster. */
  readonly currentSlot: () => Promise<number>;
  readonly now: () => Date;
  /** Told why a source could not be read, once for each request to it. */
  readonly logger: PriceLog;
}

/**
 * Prices of SOL and of listed pairs as a deployment is set up: all from the fixed table, or each from the service its pair
 * names. A pair of a source that is not in use has no price, so that a hand-made one never slips into a live deployment.
 */
export function createConfiguredPrices(settings: PriceSettings, deps: PriceDeps): PriceSource {
  const sol = NATIVE_MINT.toBase58();
  return createPriceSource({
    feedOf: async (mint) => {
      if (mint === sol) return solFeed(settings);
      const pair = await deps.pairOf(mint);
      return pair && feedOf(mint, pair);
    },
    readers:
      settings.source === 'fixed'
        ? { fixed: fixedPriceReader(deps.fixedUsdOf, deps.now) }
        : liveReaders(settings, deps),
    now: deps.now,
  });
}

/** SOL is no quote token, so it has no row among the pairs. */
function solFeed({ source: kind, maxAgeMs, maxConfidenceBps }: PriceSettings): PriceFeed {
  return { kind, id: kind === 'pyth' ? PYTH_SOL_USD : NATIVE_MINT.toBase58(), maxAgeMs, maxConfidenceBps };
}

function feedOf(mint: string, pair: PairPrice): PriceFeed {
  const { priceSource: kind, priceMaxAgeMs: maxAgeMs, priceMaxConfidenceBps: maxConfidenceBps } = pair;
  // A price set by hand has no name at a source but the mint itself.
  return { kind, id: kind === 'fixed' ? mint : pair.priceSourceId, maxAgeMs, maxConfidenceBps };
}

function liveReaders({ pyth, jupiter }: PriceSettings, { currentSlot, now, logger }: PriceDeps) {
  const clock = () => now().getTime();
  const remembered = (kind: PriceKind, reader: PriceReader) =>
    rememberedReader(reader, {
      now: clock,
      onFailure: (id, error) => {
        logger.warn({ err: error }, `${kind} does not give the price of ${id}`);
      },
    });
  const ofPyth = pythPriceReader({ url: pyth.url, ...(pyth.key !== undefined && { accessToken: pyth.key }) });
  const ofJupiter = jupiterPriceReader({
    url: jupiter.url,
    currentSlot,
    now,
    ...(jupiter.key !== undefined && { apiKey: jupiter.key }),
  });
  return { pyth: remembered('pyth', ofPyth), jupiter: remembered('jupiter', ofJupiter) };
}
