import { BigNumber } from 'bignumber.js';
import type { AllBurns, ShownBurn } from '../../db/burns.ts';
import type { BuybackTotals, ShownBuyback } from '../../db/buyback/buyback-reads.ts';
import type { ShownHarvest } from '../../db/fee-sweep/fee-harvests.ts';
import type { RevenueTotals } from '../../db/revenue.ts';
import { burnSourceOf } from '../../domain/burn.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { amountAnswer } from '../answers/amounts.ts';
import { toNumber, toNumberOrNull, toTokens } from '../answers/numbers.ts';
import { shortQuote } from '../answers/quotes.ts';
import type { AnyBurnAnswer, BuybackAnswer, HarvestAnswer, RevenueAnswer } from './revenue.schema.ts';

/** Set-aside amounts differ from the cost of completed buybacks. */
export function revenueTotals(revenue: RevenueTotals, bought: BuybackTotals): RevenueAnswer['revenue'] {
  const spentUsd = toNumber(bought.spentUsd);
  return {
    totalRevenueUsd: toNumber(revenue.revenueUsd),
    platformPairExcludedUsd: 0,
    holdersRevenueUsd: toNumber(revenue.buybackUsd),
    protocolRevenueUsd: toNumber(revenue.protocolUsd),
    flywheelRevenueUsd: toNumber(revenue.flywheelUsd),
    harvestCount: revenue.harvests,
    unpricedCount: revenue.unpriced,
    totalBuybackUsd: spentUsd,
    boughtBackTokens: toNumber(bought.boughtTokens),
    boughtBackValueUsd: spentUsd,
    buybackCount: bought.buybacks,
    lastBuybackAt: bought.lastBoughtAt?.toISOString() ?? null,
  };
}

export function burnTotals({ kinds, mints }: AllBurns): RevenueAnswer['burns'] {
  const bySource = kinds.map(({ kind, amountTokens, valueUsd, burns }) => {
    const sums = { amountTokens: toNumber(amountTokens), valueUsd: toNumber(valueUsd), count: burns };
    return [burnSourceOf(kind), sums] as const;
  });
  return {
    totalValueUsdAtBurn: toNumber(BigNumber.sum(0, ...kinds.map(({ valueUsd }) => valueUsd)).toFixed()),
    burnCount: kinds.reduce((sum, { burns }) => sum + burns, 0),
    mintCount: mints,
    unpricedCount: kinds.reduce((sum, { unpriced }) => sum + unpriced, 0),
    bySource: Object.fromEntries(bySource),
  };
}

export function buybackAnswer(buyback: ShownBuyback): BuybackAnswer {
  const { quoteDecimals, spentRaw, quoteUsd } = buyback;
  const spentValueUsd = quoteUsd === null ? null : toNumber(worthUsd(spentRaw, quoteDecimals, quoteUsd));
  return {
    signature: buyback.signature,
    quote: shortQuote(buyback),
    mint: buyback.mint,
    symbol: buyback.symbol,
    ...amountAnswer('spent', spentRaw, quoteDecimals),
    spentValueUsd,
    ...amountAnswer('bought', buyback.boughtRaw, buyback.decimals),
    boughtValueUsd: spentValueUsd,
    burnSignature: buyback.burnSignature,
    boughtAt: buyback.boughtAt.toISOString(),
  };
}

export function harvestAnswer(harvest: ShownHarvest): HarvestAnswer {
  const { quoteUsd, priceSource, pricedAt } = harvest;
  return {
    signature: harvest.signature,
    mint: harvest.mint,
    symbol: harvest.symbol,
    quote: shortQuote(harvest),
    ...amountAnswer('quote', harvest.quoteRaw, harvest.quoteDecimals),
    ...amountAnswer('base', harvest.baseRaw, harvest.decimals),
    ...(quoteUsd !== null && { quotePriceUsd: toNumber(quoteUsd) }),
    ...(priceSource !== null && { priceSource }),
    ...(pricedAt !== null && { pricedAt: pricedAt.toISOString() }),
    valueUsd: toNumberOrNull(harvest.valueUsd),
    harvestedAt: harvest.harvestedAt.toISOString(),
  };
}

export function burnAnswer(burn: ShownBurn): AnyBurnAnswer {
  const { amountRaw, decimals } = burn;
  return {
    signature: burn.signature,
    mint: burn.mint,
    symbol: burn.symbol,
    amountTokens: decimals === null ? null : toTokens(amountRaw, decimals),
    amountRaw: String(amountRaw),
    valueUsdAtBurn: toNumberOrNull(burn.valueUsd),
    source: burnSourceOf(burn.kind),
    burnedAt: burn.burnedAt.toISOString(),
  };
}
