import { BigNumber } from 'bignumber.js';

/** Decimals with 60 digits: dividing prices far below one loses none. */
const Exact = BigNumber.clone({ DECIMAL_PLACES: 60, EXPONENTIAL_AT: 1e9, ROUNDING_MODE: BigNumber.ROUND_HALF_UP });

/** Fraction digits of a price per whole token. */
const PRICE_DIGITS = 30;

/** Fraction digits of an amount of USD. */
const USD_DIGITS = 10;

export interface PoolPrice {
  /** token1 per token0, raw, Q64.64. */
  readonly sqrtPriceX64: bigint;
  readonly baseIsToken0: boolean;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** Returns the price in whole quote tokens, half up to 30 fraction digits. */
export function priceInQuote({ sqrtPriceX64, ...pool }: PoolPrice): string {
  const token1PerToken0 = new Exact(sqrtPriceX64.toString()).pow(2).div(new Exact(2).pow(128));
  const quotePerBase = pool.baseIsToken0 ? token1PerToken0 : new Exact(1).div(token1PerToken0);
  return quotePerBase
    .shiftedBy(pool.baseDecimals - pool.quoteDecimals)
    .decimalPlaces(PRICE_DIGITS)
    .toFixed();
}

/** The reverse of `priceInQuote`, as exact as its 30 fraction digits. */
export function sqrtPriceOf(priceQuote: string, pool: Omit<PoolPrice, 'sqrtPriceX64'>): bigint {
  const quotePerBase = new Exact(priceQuote).shiftedBy(pool.quoteDecimals - pool.baseDecimals);
  const token1PerToken0 = pool.baseIsToken0 ? quotePerBase : new Exact(1).div(quotePerBase);
  return BigInt(token1PerToken0.sqrt().times(new Exact(2).pow(64)).toFixed(0));
}

/** Returns the price in USD, half up to 30 fraction digits. */
export function priceInUsd(priceQuote: string, quoteUsd: string): string {
  return new Exact(priceQuote).times(quoteUsd).decimalPlaces(PRICE_DIGITS).toFixed();
}

/** Values an amount by a price per whole token, half up to 10 fraction digits. */
export function worthUsd(raw: bigint, decimals: number, priceUsd: string): string {
  return new Exact(raw.toString()).shiftedBy(-decimals).times(priceUsd).decimalPlaces(USD_DIGITS).toFixed();
}
