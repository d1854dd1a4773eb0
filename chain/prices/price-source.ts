import { AppError } from '../../domain/errors.ts';

/** USD price of one whole token as a source gave it. */
export interface UsdPrice {
  /** Exact plain decimal, greater than zero. */
  readonly usd: string;
  /** Name of the source: `fixed`, `pyth` or `jupiter`. */
  readonly source: PriceKind;
  /** The time the source puts on the price. */
  readonly observedAt: Date;
  /** Half width of the source's confidence interval as a share of the price, in bps rounded up; absent where it gives none. */
  readonly confidenceBps?: number;
}

/** The port to USD prices of quote tokens and SOL. */
export interface PriceSource {
  /** A price within the limits of the token's feed. Throws an AppError `service_unavailable` when there is none. */
  usd(mint: string): Promise<UsdPrice>;
}

export type PriceKind = 'fixed' | 'pyth' | 'jupiter';

/** Where a token's price comes from and how good it must be. */
export interface PriceFeed {
  readonly kind: PriceKind;
  /** Name of the price at its source: a Pyth feed id, or the mint. */
  readonly id: string;
  readonly maxAgeMs: number;
  readonly maxConfidenceBps: number;
}

/** Reads the newest price from one source, however old or uncertain. Throws with the reason when there is none. */
export type PriceReader = (id: string) => Promise<Omit<UsdPrice, 'source'>>;

/** What a price source is made of. A kind without a reader is one that this deployment does not use. */
export interface PriceSourceDeps {
  /** The feed of a mint, or null when none is known. */
  readonly feedOf: (mint: string) => Promise<PriceFeed | null>;
  readonly readers: Readonly<Partial<Record<PriceKind, PriceReader>>>;
  readonly now: () => Date;
}

/** Source and worker may disagree on the time by this much before a price from the future counts as wrong, in ms. */
const CLOCK_SKEW_MS = 10_000;

/** A fresh price is normally there again after this time, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Prices by the feed of each token, refused when they are too old or too uncertain for it. */
export function createPriceSource({ feedOf, readers, now }: PriceSourceDeps): PriceSource {
  return {
    async usd(mint) {
      const feed = await feedOf(mint);
      if (feed === null) throw noPrice(mint, 'no feed is configured');
      const reader = readers[feed.kind];
      if (reader === undefined) throw noPrice(mint, `source ${feed.kind} is not set up`);
      const price = await read(reader, feed, mint);
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
    // What the source said, and where it is, is for the log.
    throw noPrice(mint, `${feed.kind} does not give it`, error);
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
