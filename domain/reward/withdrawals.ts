import { lamportsInToken } from './usd-amounts.ts';

/** Prices that a withdrawal is judged by, USD as exact decimals. */
export interface WithdrawalPrices {
  readonly solUsd: string;
  /** Per whole token that is withdrawn. */
  readonly tokenUsd: string;
  readonly decimals: number;
}

/** The withdrawals, each of several accounts' tax, that bring more than they cost. What is left out stays where it is. */
export function worthWithdrawing<Source extends { readonly raw: bigint }>(
  withdrawals: readonly (readonly Source[])[],
  costOf: (sources: number) => bigint,
  prices: WithdrawalPrices,
): (readonly Source[])[] {
  return withdrawals.filter((sources) => {
    const raw = sources.reduce((sum, source) => sum + source.raw, 0n);
    return raw > lamportsInToken(costOf(sources.length), prices);
  });
}
