import { BigNumber } from 'bignumber.js';
import { type PoolPrice, priceInQuote, priceInUsd } from './pool-price.ts';

/** Decimals with 40 digits: prices far below one lose none. */
const Exact = BigNumber.clone({ DECIMAL_PLACES: 40, EXPONENTIAL_AT: 1e9 });

/** A millionth of a dollar. */
const USD_DIGITS = 6;

/** Rounded down to six digits. */
export function usdValue(raw: bigint, decimals: number, priceUsd: string): string {
  const value = new Exact(raw.toString()).shiftedBy(-decimals).times(priceUsd);
  return value.decimalPlaces(USD_DIGITS, BigNumber.ROUND_DOWN).toFixed();
}

/** Price of one whole base token, USD; `quoteUsd`: of one quote token. */
export function basePriceUsd(pool: PoolPrice, quoteUsd: string): string {
  return priceInUsd(priceInQuote(pool), quoteUsd);
}

/** Exact decimals. */
export function isWorth(usd: string, leastUsd: string): boolean {
  return new BigNumber(usd).isGreaterThanOrEqualTo(leastUsd);
}
