import { NATIVE_MINT, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { createClockCheck } from '../rpc/chain-moment.ts';
import type { Rpc } from '../rpc/rpc.ts';
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
import { type ReadAgreedTokens, rememberedUnits } from './remembered-units.ts';
import { IS_SET_BY_HAND } from '../../domain/trading/spendable-price.ts';

/**
 * Crypto.SOL/USD.
 *
 * @see https://docs.pyth.network/price-feeds/core/price-feeds
 */
export const PYTH_SOL_USD = 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d';

interface KeyedService {
  readonly url: string;
  readonly key: string | undefined;
}

/** The limits apply to SOL. */
export interface PriceSettings {
  /** Of SOL; `fixed` of all. */
  readonly source: PriceKind;
  readonly maxAgeMs: number;
  readonly maxConfidenceBps: number;
  readonly pyth: KeyedService;
  readonly jupiter: KeyedService;
}

export interface PairPrice {
  /** base58 */
  readonly tokenProgram: string;
  readonly priceSource: PriceKind;
  readonly priceSourceId: string;
  readonly priceMaxAgeMs: number;
  readonly priceMaxConfidenceBps: number;
}

export interface PriceLog {
  warn(fields: { readonly err: unknown }, message: string): void;
}

export interface PriceDeps {
  readonly pairOf: (mint: string) => Promise<PairPrice | null>;
  readonly fixedUsdOf: FixedUsd;
  readonly currentSlot: () => Promise<number>;
  readonly now: () => Date;
  /** The newest final block of a quorum. */
  readonly finalMoment: Rpc['finalMoment'];
  /** By quorum: prices refer to raw amounts. */
  readonly agreedTokens: ReadAgreedTokens;
  /** Once per failed request. */
  readonly logger: PriceLog;
}

/**
 * Reads all prices from the fixed table, or each from its pair's service. A pair with an unused source has no price: a
 * manual one never reaches a live deployment.
 */
export function createConfiguredPrices(settings: PriceSettings, deps: PriceDeps): PriceSource {
  const sol = NATIVE_MINT.toBase58();
  return createPriceSource({
    feedOf: async (mint) => {
      if (mint === sol) return solFeed(settings);
      const pair = await deps.pairOf(mint);
      return pair && feedOf(mint, pair);
    },
    readers: IS_SET_BY_HAND[settings.source]
      ? { fixed: fixedPriceReader(deps.fixedUsdOf, deps.now) }
      : liveReaders(settings, deps),
    unitProblemOf: rememberedUnits(deps.agreedTokens, deps.now),
    clockProblem: createClockCheck({ rpc: deps, now: deps.now }),
    now: deps.now,
  });
}

const SOL_IDS: Readonly<Record<PriceKind, string>> = {
  fixed: NATIVE_MINT.toBase58(),
  pyth: PYTH_SOL_USD,
  jupiter: NATIVE_MINT.toBase58(),
};

/** Builds the feed of SOL, which has no pair row. */
function solFeed({ source: kind, maxAgeMs, maxConfidenceBps }: PriceSettings): PriceFeed {
  return { kind, id: SOL_IDS[kind], maxAgeMs, maxConfidenceBps, hasFixedUnit: true };
}

function feedOf(mint: string, pair: PairPrice): PriceFeed {
  const { priceSource: kind, priceMaxAgeMs: maxAgeMs, priceMaxConfidenceBps: maxConfidenceBps } = pair;
  const id = IS_SET_BY_HAND[kind] ? mint : pair.priceSourceId;
  const hasFixedUnit = pair.tokenProgram === TOKEN_PROGRAM_ID.toBase58();
  return { kind, id, maxAgeMs, maxConfidenceBps, hasFixedUnit };
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
