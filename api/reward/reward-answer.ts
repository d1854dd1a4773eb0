import type { Distribution, RewardTotals } from '../../db/reward/reward-reads.ts';
import { formatUnits } from '../../domain/amounts.ts';

/** What the holders of a coin got in all. Amounts in whole quote tokens, with a raw twin; USD as of each payment. */
export function toTotalsAnswer(totals: RewardTotals) {
  const { quoteMint, quoteSymbol, quoteDecimals, paidRaw, paidUsd, rounds, transactions, lastPaidAt } = totals;
  return {
    quoteMint,
    quoteSymbol,
    paid: formatUnits(paidRaw, quoteDecimals),
    paidRaw: String(paidRaw),
    paidUsd,
    rounds,
    transactions,
    lastPaidAt: lastPaidAt?.toISOString() ?? null,
  };
}

/** A transaction that paid holders. */
export function toDistributionAnswer(distribution: Distribution) {
  const { signature, mint, symbol, quoteMint, quoteSymbol, quoteDecimals, ...facts } = distribution;
  const { paidRaw, valueUsd, recipients, slot, landedAt } = facts;
  return {
    signature,
    mint,
    symbol,
    quoteMint,
    quoteSymbol,
    amount: formatUnits(paidRaw, quoteDecimals),
    amountRaw: String(paidRaw),
    valueUsd,
    recipients,
    slot: Number(slot),
    time: landedAt.toISOString(),
  };
}
