import { BigNumber } from 'bignumber.js';
import type { SpendableUsd } from '../trading/spendable-price.ts';

/** Decimals with 60 digits before rounding to raw units. */
const Exact = BigNumber.clone({ DECIMAL_PLACES: 60, EXPONENTIAL_AT: 1e9 });

/** Returns the smallest number worth at least `usd`, at a price above zero. */
export function rawWorthAtLeast(usd: string, decimals: number, priceUsd: SpendableUsd): bigint {
  const raw = new Exact(usd).shiftedBy(decimals).div(priceUsd).integerValue(BigNumber.ROUND_CEIL);
  return BigInt(raw.toFixed());
}

/** Returns the lamports' value in raw token units, rounded up. */
export function lamportsInToken(
  lamports: bigint,
  {
    solUsd,
    tokenUsd,
    decimals,
  }: { readonly solUsd: SpendableUsd; readonly tokenUsd: SpendableUsd; readonly decimals: number },
): bigint {
  const raw = new Exact(lamports.toString())
    .shiftedBy(decimals - 9)
    .times(solUsd)
    .div(tokenUsd);
  return BigInt(raw.integerValue(BigNumber.ROUND_CEIL).toFixed());
}

/** True if the parts' sum reaches `atLeast`. */
export function reachesUsd(parts: readonly string[], atLeast: readonly string[]): boolean {
  return sumOf(parts).gte(sumOf(atLeast));
}

function sumOf(amounts: readonly string[]): BigNumber {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0));
}
