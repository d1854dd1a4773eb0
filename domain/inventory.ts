import { BigNumber } from 'bignumber.js';
import type { SpendableRaw } from './token-balance.ts';

export interface Stock {
  /** In the treasury's account. */
  readonly spendableRaw: SpendableRaw;
  /** Most that dev buys of open launches take. */
  readonly reservedRaw: bigint;
  /** Dev buys never take it. */
  readonly reserveRaw: bigint;
  /** Unspent revenue for purchases. */
  readonly setAsideRaw: bigint;
  /** Bought with revenue and not burned yet: a quote token may be a launched one. */
  readonly toBurnRaw: bigint;
}

/** Returns the amount for sale; 0 if reservations use all. */
export function availableRaw({ spendableRaw, reservedRaw, reserveRaw, setAsideRaw, toBurnRaw }: Stock): bigint {
  return notBelowZero(spendableRaw - reservedRaw - reserveRaw - setAsideRaw - toBurnRaw);
}

export interface HourOfSales {
  /** Or reserved. */
  readonly soldRaw: bigint;
  /** Of the pair, or null. */
  readonly boundRaw: bigint | null;
  /** Within a day, exact decimal; null if unknown. */
  readonly highestUsd: string | null;
  readonly decimals: number;
}

/**
 * Returns what may still be sold within the hour, raw. A limit in USD uses the day's highest price: pushing the price
 * down sells no more tokens.
 * @param mostUsd of a pair without its own limit
 */
export function leftOfHourRaw({ soldRaw, boundRaw, highestUsd, decimals }: HourOfSales, mostUsd: string): bigint {
  const bound = boundRaw ?? (highestUsd === null ? 0n : rawOfUsd(mostUsd, highestUsd, decimals));
  return notBelowZero(bound - soldRaw);
}

function rawOfUsd(usd: string, priceUsd: string, decimals: number): bigint {
  const raw = new BigNumber(usd).shiftedBy(decimals).div(priceUsd).integerValue(BigNumber.ROUND_DOWN);
  return BigInt(raw.toFixed());
}

export interface RestockMarks {
  /** Restock below this. */
  readonly belowRaw: bigint;
  /** Restock up to this. */
  readonly toRaw: bigint;
}

/** 0 while enough are available. */
export function shortfallRaw(available: bigint, { belowRaw, toRaw }: RestockMarks): bigint {
  return available < belowRaw ? toRaw - available : 0n;
}

function notBelowZero(raw: bigint): bigint {
  return raw > 0n ? raw : 0n;
}
