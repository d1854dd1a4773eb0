import type { Distribution, RewardTotals } from '../../db/reward/reward-reads.ts';
import { toInteger, toNumber, toTokens } from '../answers/numbers.ts';
import type { DistributionAnswer, RewardCoinAnswer } from './rewards.schema.ts';

/** What the holders of a coin got in all. */
export function toTotalsAnswer(totals: RewardTotals): Omit<RewardCoinAnswer, 'mint' | 'name' | 'symbol' | 'quote'> {
  const { quoteDecimals, paidRaw, paidUsd, payouts, holders, rounds, transactions, lastPaidAt } = totals;
  return {
    distributedRaw: String(paidRaw),
    distributedTokens: toTokens(paidRaw, quoteDecimals),
    distributedUsd: toNumber(paidUsd),
    payoutCount: payouts,
    holderCount: holders,
    roundCount: rounds,
    transactionCount: transactions,
    lastPayoutAt: lastPaidAt?.toISOString() ?? null,
  };
}

/** A coin whose holders were paid. */
export function toCoinAnswer(totals: RewardTotals): RewardCoinAnswer {
  const { mint, name, symbol } = totals;
  return { mint, name, symbol, quote: quoteOf(totals), ...toTotalsAnswer(totals) };
}

/** The token that rewards of a coin are paid in. */
export function quoteOf({ quoteMint, quoteSymbol, quoteDecimals }: RewardTotals): RewardCoinAnswer['quote'] {
  return { mint: quoteMint, symbol: quoteSymbol, decimals: quoteDecimals };
}

/** A transaction that paid holders. */
export function toDistributionAnswer(distribution: Distribution): DistributionAnswer {
  const { paidRaw, quoteDecimals, valueUsd } = distribution;
  return {
    signature: distribution.signature,
    mint: distribution.mint,
    symbol: distribution.symbol,
    quoteMint: distribution.quoteMint,
    quoteSymbol: distribution.quoteSymbol,
    amountRaw: String(paidRaw),
    amountTokens: toTokens(paidRaw, quoteDecimals),
    ...(valueUsd !== null && { amountUsd: toNumber(valueUsd) }),
    holderCount: distribution.recipients,
    slot: toInteger(distribution.slot),
    distributedAt: distribution.landedAt.toISOString(),
  };
}
