import { batchesOf } from '../batches.ts';
import { lamportsInToken } from './usd-amounts.ts';

/** Prices that a withdrawal is judged by, USD as exact decimals. */
export interface WithdrawalPrices {
  readonly solUsd: string;
  /** Per whole token that is withdrawn. */
  readonly tokenUsd: string;
  readonly decimals: number;
}

/**
 * The sources by withdrawal, in their order and at most `most` in each: only those of which each brings more than naming it beside
 * others costs, and only withdrawals that bring more than they cost, lamports. What is left out stays where it is: a stranger who
 * leaves dust in many accounts has none of it withdrawn, alone or along with what is worth it.
 */
export function worthWithdrawing<Source extends { readonly raw: bigint }>(
  sources: readonly Source[],
  most: number,
  costOf: (sources: number) => bigint,
  prices: WithdrawalPrices,
): Source[][] {
  const atLeast = (lamports: bigint) => lamportsInToken(lamports, prices);
  const place = atLeast(costOf(2) - costOf(1));
  const worth = sources.filter(({ raw }) => raw > place);
  return batchesOf(worth, most).filter((batch) => {
    const raw = batch.reduce((sum, source) => sum + source.raw, 0n);
    return raw > atLeast(costOf(batch.length));
  });
}
