import { BigNumber } from 'bignumber.js';

/** Quotients of prices keep 60 digits before they are rounded to whole raw units. */
const Exact = BigNumber.clone({ DECIMAL_PLACES: 60, EXPONENTIAL_AT: 1e9 });

/** The fewest raw units that are worth at least so many USD at a USD price per whole token above zero. */
export function rawWorthAtLeast(usd: string, decimals: number, priceUsd: string): bigint {
  const raw = new Exact(usd).shiftedBy(decimals).div(priceUsd).integerValue(BigNumber.ROUND_CEIL);
  return BigInt(raw.toFixed());
}

/** Lamports in raw units of another token at these USD prices, rounded up. */
export function lamportsInToken(
  lamports: bigint,
  { solUsd, tokenUsd, decimals }: { readonly solUsd: string; readonly tokenUsd: string; readonly decimals: number },
): bigint {
  const raw = new Exact(lamports.toString())
    .shiftedBy(decimals - 9)
    .times(solUsd)
    .div(tokenUsd);
  return BigInt(raw.integerValue(BigNumber.ROUND_CEIL).toFixed());
}

/** True where these amounts of USD together reach those; exact decimal strings. */
export function reachesUsd(parts: readonly string[], atLeast: readonly string[]): boolean {
  return sumOf(parts).gte(sumOf(atLeast));
}

function sumOf(amounts: readonly string[]): BigNumber {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0));
}
