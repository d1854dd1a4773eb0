import type { Distribution, RewardTotals } from '../../db/reward/reward-reads.ts';
import { amountAnswer } from '../answers/amounts.ts';
import { toInteger, toNumber } from '../answers/numbers.ts';
import { countedQuote } from '../answers/quotes.ts';
import type { DistributionAnswer, RewardCoinAnswer } from './rewards.schema.ts';

export function toTotalsAnswer(totals: RewardTotals): Omit<RewardCoinAnswer, 'mint' | 'name' | 'symbol' | 'quote'> {
  const { quoteDecimals, paidRaw, paidUsd, payouts, holders, rounds, transactions, lastPaidAt } = totals;
  return {
    ...amountAnswer('distributed', paidRaw, quoteDecimals),
    distributedUsd: toNumber(paidUsd),
    payoutCount: payouts,
    holderCount: holders,
    roundCount: rounds,
    transactionCount: transactions,
    lastPayoutAt: lastPaidAt?.toISOString() ?? null,
  };
}

export function toCoinAnswer(totals: RewardTotals): RewardCoinAnswer {
  const { mint, name, symbol } = totals;
  return { mint, name, symbol, quote: countedQuote(totals), ...toTotalsAnswer(totals) };
}

export function toDistributionAnswer(distribution: Distribution): DistributionAnswer {
  const { paidRaw, quoteDecimals, valueUsd } = distribution;
  return {
    signature: distribution.signature,
    mint: distribution.mint,
    symbol: distribution.symbol,
    quoteMint: distribution.quoteMint,
    quoteSymbol: distribution.quoteSymbol,
    ...amountAnswer('amount', paidRaw, quoteDecimals),
    ...(valueUsd !== null && { amountUsd: toNumber(valueUsd) }),
    holderCount: distribution.recipients,
    slot: toInteger(distribution.slot),
    distributedAt: distribution.landedAt.toISOString(),
  };
}
