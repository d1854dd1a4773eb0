import { BigNumber } from 'bignumber.js';
import { type PoolPrice, priceInQuote, priceInUsd } from './pool-price.ts';

/** A division must not lose digits of a price that is far below one: 40 of them, whatever was configured before. */
const Exact = BigNumber.clone({ DECIMAL_PLACES: 40, EXPONENTIAL_AT: 1e9 });

/** Fraction digits of a USD amount: a millionth of a dollar. */
const USD_DIGITS = 6;

/** What raw units of a token are worth in USD, rounded down to six digits: a plain decimal string. */
export function usdValue(raw: bigint, decimals: number, priceUsd: string): string {
  const value = new Exact(raw.toString()).shiftedBy(-decimals).times(priceUsd);
  return value.decimalPlaces(USD_DIGITS, BigNumber.ROUND_DOWN).toFixed();
}

/** USD price of one whole base token at a pool's price, a plain decimal string; `quoteUsd` is that of one quote token. */
export function basePriceUsd(pool: PoolPrice, quoteUsd: string): string {
  return priceInUsd(priceInQuote(pool), quoteUsd);
}

/** True where an amount of USD is at least another; exact decimals. */
export function isWorth(usd: string, leastUsd: string): boolean {
  return new BigNumber(usd).isGreaterThanOrEqualTo(leastUsd);
}
