import { batchesOf } from '../batches.ts';
import type { SpendableUsd } from '../trading/spendable-price.ts';
import { lamportsInToken } from './usd-amounts.ts';

/** Exact decimals. */
export interface WithdrawalPrices {
  readonly solUsd: SpendableUsd;
  /** Per whole token. */
  readonly tokenUsd: SpendableUsd;
  readonly decimals: number;
}

/**
 * Batches the sources in order, at most `most` each. Keeps only sources that bring more than adding them costs, and
 * withdrawals that bring more than they cost: a stranger's dust in many accounts is never withdrawn.
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
