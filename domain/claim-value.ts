import { BigNumber } from 'bignumber.js';

/** A division must not lose digits of a price that is far below one: 40 of them, whatever was configured before. */
const Exact = BigNumber.clone({ DECIMAL_PLACES: 40, EXPONENTIAL_AT: 1e9 });

/** Fraction digits of a USD amount: a millionth of a dollar. */
const USD_DIGITS = 6;

/** What raw units of a token are worth in USD, rounded down to six digits: a plain decimal string. */
export function usdValue(raw: bigint, decimals: number, priceUsd: string): string {
  const value = new Exact(raw.toString()).shiftedBy(-decimals).times(priceUsd);
  return value.decimalPlaces(USD_DIGITS, BigNumber.ROUND_DOWN).toFixed();
}

/** Where a pool's price stands. */
export interface PoolPrice {
  /** Square root of token1 per token0 in raw units, Q64.64. */
  readonly sqrtPriceX64: bigint;
  readonly baseIsToken0: boolean;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** USD price of one whole base token at a pool's price, a plain decimal string; `quoteUsd` is that of one quote token. */
export function basePriceUsd({ sqrtPriceX64, ...pool }: PoolPrice, quoteUsd: string): string {
  const token1PerToken0 = new Exact(sqrtPriceX64.toString()).pow(2).div(new Exact(2).pow(128));
  const quotePerBase = pool.baseIsToken0 ? token1PerToken0 : new Exact(1).div(token1PerToken0);
  return quotePerBase
    .shiftedBy(pool.baseDecimals - pool.quoteDecimals)
    .times(quoteUsd)
    .toFixed();
}
