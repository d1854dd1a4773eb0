import { BigNumber } from 'bignumber.js';

/** A division must not lose digits of a price that is far below one: 60 of them, whatever was configured before. */
const Exact = BigNumber.clone({ DECIMAL_PLACES: 60, EXPONENTIAL_AT: 1e9, ROUNDING_MODE: BigNumber.ROUND_HALF_UP });

/** Fraction digits of a price, of a quote token or of USD, per whole token. */
const PRICE_DIGITS = 30;

/** Fraction digits of an amount of USD. */
const USD_DIGITS = 10;

/** Where a pool's price stands. */
export interface PoolPrice {
  /** Square root of token1 per token0 in raw units, Q64.64. */
  readonly sqrtPriceX64: bigint;
  readonly baseIsToken0: boolean;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** Whole quote tokens per whole base token, a plain decimal string rounded half up to 30 fraction digits. */
export function priceInQuote({ sqrtPriceX64, ...pool }: PoolPrice): string {
  const token1PerToken0 = new Exact(sqrtPriceX64.toString()).pow(2).div(new Exact(2).pow(128));
  const quotePerBase = pool.baseIsToken0 ? token1PerToken0 : new Exact(1).div(token1PerToken0);
  return quotePerBase
    .shiftedBy(pool.baseDecimals - pool.quoteDecimals)
    .decimalPlaces(PRICE_DIGITS)
    .toFixed();
}

/** A price in quote tokens times the USD price of one, rounded half up to 30 fraction digits. */
export function priceInUsd(priceQuote: string, quoteUsd: string): string {
  return new Exact(priceQuote).times(quoteUsd).decimalPlaces(PRICE_DIGITS).toFixed();
}

/** What raw units are worth at a USD price per whole token, rounded half up to 10 fraction digits. */
export function worthUsd(raw: bigint, decimals: number, priceUsd: string): string {
  return new Exact(raw.toString()).shiftedBy(-decimals).times(priceUsd).decimalPlaces(USD_DIGITS).toFixed();
}
