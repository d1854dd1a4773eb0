import { AppError } from '../../domain/errors.ts';
import type { PriceKind } from '../../domain/trading/spendable-price.ts';

export type { PriceKind };

export interface UsdPrice {
  /** Above zero. */
  readonly usd: string;
  readonly source: PriceKind;
  readonly observedAt: Date;
  /** Half the confidence interval over the price, bps up; absent if the source gives none. */
  readonly confidenceBps?: number;
}

/**
 * Trading can move a spot price: for display and pool openings only. Value is spent and figures booked by a
 * SpendablePrice (`domain/trading/spendable-price.ts`).
 */
export interface PriceSource {
  /** Reads a price within the feed's limits. Throws an AppError `service_unavailable`. */
  spotUsd(mint: string): Promise<UsdPrice>;
  /** Says why live prices cannot be dated by this machine's clock; null if they can. */
  clockProblem(): Promise<string | null>;
}

export interface PriceFeed {
  readonly kind: PriceKind;
  /** A Pyth feed id, or the mint. */
  readonly id: string;
  readonly maxAgeMs: number;
  readonly maxConfidenceBps: number;
  /** True if the mint cannot scale amounts: SOL, and all mints of the Token program. */
  readonly hasFixedUnit: boolean;
}

/** Reads a price, however old or uncertain. Throws without one. */
export type PriceReader = (id: string) => Promise<Omit<UsdPrice, 'source'>>;

/** Kinds without a reader are unused. */
export interface PriceSourceDeps {
  /** Null if the mint has no feed. */
  readonly feedOf: (mint: string) => Promise<PriceFeed | null>;
  readonly readers: Readonly<Partial<Record<PriceKind, PriceReader>>>;
  /** Why prices do not refer to raw amounts, or null. Not asked for a fixed unit. */
  readonly unitProblemOf: (mint: string) => Promise<string | null>;
  readonly clockProblem: () => Promise<string | null>;
  readonly now: () => Date;
}

/** Further in the future is refused. */
const CLOCK_SKEW_MS = 10_000;

const RETRY_AFTER_SECONDS = 5;

/** Refuses prices too old, too uncertain, or not for raw amounts. */
export function createPriceSource({ feedOf, readers, unitProblemOf, clockProblem, now }: PriceSourceDeps): PriceSource {
  return {
    clockProblem,
    async spotUsd(mint) {
      const feed = await feedOf(mint);
      if (feed === null) throw noPrice(mint, 'no feed is configured');
      const reader = readers[feed.kind];
      if (reader === undefined) throw noPrice(mint, `source ${feed.kind} is not set up`);
      const [price, unitProblem] = await Promise.all([
        read(reader, feed, mint),
        feed.hasFixedUnit ? null : readUnit(unitProblemOf, mint),
      ]);
      if (unitProblem !== null) throw noPrice(mint, unitProblem);
      const problem = problemOf(price, feed, now());
      if (problem !== null) throw noPrice(mint, `the price of ${feed.kind} ${problem}`);
      return { ...price, source: feed.kind };
    },
  };
}

async function read(reader: PriceReader, feed: PriceFeed, mint: string): Promise<Omit<UsdPrice, 'source'>> {
  try {
    return await reader(feed.id);
  } catch (error) {
    // Only logs get the source's error.
    throw noPrice(mint, `${feed.kind} does not give it`, error);
  }
}

async function readUnit(unitProblemOf: PriceSourceDeps['unitProblemOf'], mint: string): Promise<string | null> {
  try {
    return await unitProblemOf(mint);
  } catch (error) {
    throw noPrice(mint, 'its mint cannot be read', error);
  }
}

function problemOf(price: Omit<UsdPrice, 'source'>, feed: PriceFeed, now: Date): string | null {
  const ageMs = now.getTime() - price.observedAt.getTime();
  if (!/^\d+(\.\d+)?$/.test(price.usd) || /^[0.]+$/.test(price.usd)) return `is "${price.usd}", not a positive decimal`;
  if (!(ageMs <= feed.maxAgeMs)) return `is ${ageMs} ms old, at most ${feed.maxAgeMs} ms are allowed`;
  if (ageMs < -CLOCK_SKEW_MS) return `is dated ${-ageMs} ms in the future`;
  if (price.confidenceBps !== undefined && price.confidenceBps > feed.maxConfidenceBps) {
    return `is uncertain by ${price.confidenceBps} bps, at most ${feed.maxConfidenceBps} bps are allowed`;
  }
  return null;
}

function noPrice(mint: string, reason: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', `no fresh price for ${mint}: ${reason}`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}
