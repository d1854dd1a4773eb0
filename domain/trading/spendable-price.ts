import { BigNumber } from 'bignumber.js';
import { AppError } from '../errors.ts';
import { priceInUsd, worthUsd } from '../pool-price.ts';

declare const spendable: unique symbol;

/**
 * A price that may decide spending or a permanent record: USD per whole token, exact decimal. Only this file makes it:
 * a spot price cannot be passed instead.
 */
export type SpendableUsd = string & { readonly [spendable]: true };

export type PriceKind = 'fixed' | 'pyth' | 'jupiter';

/** True for a price of an operator, which no market moves and which never expires. */
export const IS_SET_BY_HAND: Readonly<Record<PriceKind, boolean>> = { fixed: true, pyth: false, jupiter: false };

export interface SeenPrice {
  /** Exact decimal. */
  readonly usd: string;
  readonly observedAt: Date;
}

export interface SpotPrice extends SeenPrice {
  readonly source: PriceKind;
}

/** A price that was steady for a while: moving a market briefly cannot set it. */
export interface SpendablePrice {
  /** Near the median. */
  readonly usd: SpendableUsd;
  /** Of the present price and each earlier stretch's. */
  readonly medianUsd: SpendableUsd;
  readonly source: PriceKind;
  readonly observedAt: Date;
}

export interface SpendablePrices {
  /**
   * @throws UnsteadyPriceError
   * @throws AppError `service_unavailable` without a fresh price
   */
  of(mint: string): Promise<SpendablePrice>;
  /** To record a final movement of that moment: the lower of price and median then; null if not steady. */
  at(mint: string, moment: Date): Promise<SpendableUsd | null>;
}

export class UnsteadyPriceError extends AppError {
  constructor(mint: string, reason: string) {
    super('service_unavailable', `no steady price for ${mint}: ${reason}`, { retryAfterSeconds: STRETCH_MS / 1_000 });
    this.name = 'UnsteadyPriceError';
  }
}

/** Age at which observations no longer count, ms. */
export const STEADY_WINDOW_MS = 4 * 60 * 60 * 1_000;

/** Observations in a stretch count as one price, their median by time. */
export const STRETCH_MS = 5 * 60 * 1_000;

/**
 * Minimum number of stretches with a price, an hour: to set the median of a new pair, a market must be held at another
 * price for most of five earlier stretches.
 */
export const LEAST_STRETCHES = 12;

export interface SteadyRule {
  readonly mint: string;
  readonly maxDeviationBps: number;
}

/**
 * Judges a spot price by those of earlier stretches, at most one each. It must be known from `LEAST_STRETCHES` stretches
 * and within `maxDeviationBps` of their median. A price set by an operator is accepted.
 * @throws UnsteadyPriceError with the reason
 */
export function spendablePrice(present: SpotPrice, seen: readonly SeenPrice[], rule: SteadyRule): SpendablePrice {
  const judged = judgePrice(present, seen, rule.maxDeviationBps);
  if (typeof judged === 'string') throw new UnsteadyPriceError(rule.mint, judged);
  return judged;
}

/** The reason as text. */
export function judgePrice(
  present: SpotPrice,
  seen: readonly SeenPrice[],
  maxDeviationBps: number,
): SpendablePrice | string {
  const { usd, source, observedAt } = present;
  if (IS_SET_BY_HAND[source]) return { usd: trusted(usd), medianUsd: trusted(usd), source, observedAt };
  const counted = [...ofEarlierStretches(present, seen), new BigNumber(usd)];
  if (counted.length < LEAST_STRETCHES) {
    return `it was seen in ${counted.length} of ${LEAST_STRETCHES} stretches of ${STRETCH_MS / 60_000} minutes`;
  }
  const median = medianOf(counted);
  const apart = new BigNumber(usd).minus(median).abs();
  if (apart.times(10_000).gt(median.times(maxDeviationBps))) {
    return `it is ${usd} USD and was ${median.toFixed()} USD in the middle, more than ${maxDeviationBps} bps away`;
  }
  return { usd: trusted(usd), medianUsd: trusted(median.toFixed()), source, observedAt };
}

/** Returns the higher of price and median: for tokens that the platform gives. */
export function dearerUsd({ usd, medianUsd }: SpendablePrice): SpendableUsd {
  return new BigNumber(usd).gt(medianUsd) ? usd : medianUsd;
}

export function cheaperUsd({ usd, medianUsd }: SpendablePrice): SpendableUsd {
  return new BigNumber(usd).lt(medianUsd) ? usd : medianUsd;
}

/** Price per whole launched token, USD. `priceQuote` must be an average or a final swap's. */
export function spendableBase(priceQuote: string, quoteUsd: SpendableUsd): SpendableUsd {
  return trusted(priceInUsd(priceQuote, quoteUsd));
}

/** Values an amount, half up to 10 fraction digits. */
export function worthSpendable(raw: bigint, decimals: number, priceUsd: SpendableUsd): SpendableUsd {
  return trusted(worthUsd(raw, decimals, priceUsd));
}

/** A price that decided a plan which is sealed on the chain: it was spendable then. */
export function sealedUsd(usd: string): SpendableUsd {
  return trusted(usd);
}

/** Largest distance of a price that a log has sealed from the live one, bps. */
const MOST_APART_BPS = 500;

/** A price that a log has sealed on the chain, in place of the live one. Null if they are too far apart. */
export function tabledUsd(sealed: string, live: SpendableUsd): SpendableUsd | null {
  const apart = new BigNumber(sealed).minus(live).abs();
  return apart.times(10_000).gt(new BigNumber(live).times(MOST_APART_BPS)) ? null : trusted(sealed);
}

function trusted(usd: string): SpendableUsd {
  return usd as SpendableUsd;
}

export function stretchOf(moment: Date): number {
  return Math.floor(moment.getTime() / STRETCH_MS);
}

/** Returns observations of earlier stretches: others of the present one may come from the same manipulation. */
function ofEarlierStretches(present: SeenPrice, seen: readonly SeenPrice[]): BigNumber[] {
  const [now, oldest] = [stretchOf(present.observedAt), present.observedAt.getTime() - STEADY_WINDOW_MS];
  const counting = seen.filter(({ observedAt }) => stretchOf(observedAt) < now && observedAt.getTime() >= oldest);
  return counting.map(({ usd }) => new BigNumber(usd));
}

/** Returns the median: the lower of two middle values. */
function medianOf(values: readonly BigNumber[]): BigNumber {
  const sorted = values.toSorted((a, b) => a.comparedTo(b) ?? 0);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? new BigNumber(0);
}
