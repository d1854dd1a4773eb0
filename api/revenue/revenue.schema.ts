import Type, { type Static } from 'typebox';
import { BURN_SOURCES } from '../../domain/burn.ts';
import {
  address,
  count,
  figure,
  moment,
  nullable,
  optionalFigure,
  raw,
  record,
  signature,
  text,
} from '../answers/fields.ts';
import { amountFields } from '../answers/amounts.ts';
import { burnFields } from '../answers/burns.ts';
import { ShortQuoteSchema } from '../answers/quotes.ts';

const BurnsOfSourceSchema = record({
  amountTokens: figure('Tokens of all mints, one added to the other'),
  valueUsd: figure('Worth at the burn, USD'),
  count: count('Burns'),
});

const BuybackSchema = record({
  signature: signature('The swap'),
  quote: ShortQuoteSchema,
  mint: address('Mint of the platform token'),
  symbol: text('Its symbol'),
  ...amountFields('spent', 'Quote tokens that were paid'),
  spentValueUsd: nullable(figure('The same in USD; null where there was no steady price')),
  ...amountFields('bought', 'Tokens that were bought'),
  boughtValueUsd: nullable(figure('Counted value, USD: the amount paid')),
  burnSignature: nullable(signature('The burn; null until it is final')),
  boughtAt: moment('When'),
});

export type BuybackAnswer = Static<typeof BuybackSchema>;

const HarvestSchema = record({
  signature: signature('Its transaction'),
  mint: address('Mint'),
  symbol: text('Symbol'),
  quote: ShortQuoteSchema,
  ...amountFields('quote', 'Quote tokens that reached the treasury'),
  ...amountFields('base', 'Tokens that are burned'),
  quotePriceUsd: optionalFigure('USD for one quote token; left out where there was no steady price'),
  priceSource: Type.Optional(text('Where that is from')),
  pricedAt: Type.Optional(moment('When it was read')),
  valueUsd: nullable(figure('The quote tokens in USD')),
  harvestedAt: moment('When'),
});

export type HarvestAnswer = Static<typeof HarvestSchema>;

const BurnSchema = record({
  ...burnFields,
  mint: address('Mint'),
  symbol: nullable(text('Symbol; null where the token is not known here any more')),
  amountTokens: nullable(figure('Tokens; null as well then')),
  amountRaw: raw('The same'),
});

export type AnyBurnAnswer = Static<typeof BurnSchema>;

export const RevenueSchema = record({
  revenue: record({
    totalRevenueUsd: figure('Quote-token fees claimed to the treasury, USD when they were claimed'),
    platformPairExcludedUsd: figure('Fees that are left out of it: none'),
    holdersRevenueUsd: figure('Share of it for buying the platform token back and burning it, USD'),
    protocolRevenueUsd: figure('The rest, USD'),
    flywheelRevenueUsd: figure('Share of the rest for buying and burning ranked tokens, USD'),
    harvestCount: count('Sweeps that it comes from'),
    unpricedCount: count('Sweeps without a price, which count as zero'),
    totalBuybackUsd: figure('Paid for the platform token, USD'),
    boughtBackTokens: figure('Tokens bought for it'),
    boughtBackValueUsd: figure('Counted value, USD: the amount paid'),
    buybackCount: count('Purchases'),
    lastBuybackAt: nullable(moment('The newest purchase; null before the first')),
  }),
  burns: record({
    totalValueUsdAtBurn: figure('Worth of all burned tokens, USD'),
    burnCount: count('Burns'),
    mintCount: count('Tokens of which something was burned'),
    unpricedCount: count('Burns without a price, which count as zero'),
    bySource: Type.Partial(
      record(Object.fromEntries(BURN_SOURCES.map((source) => [source, BurnsOfSourceSchema])) as BySource),
    ),
  }),
  config: record({
    buybacksEnabled: Type.Boolean({ description: 'Whether revenue buys the platform token' }),
    buybackBurnEnabled: Type.Boolean({ description: 'Whether what is bought is burned' }),
  }),
  recentBuybacks: Type.Array(BuybackSchema, { description: 'The newest first' }),
  recentHarvests: Type.Array(HarvestSchema, { description: 'The newest first' }),
  recentBurns: Type.Array(BurnSchema, { description: 'The newest first' }),
});

type BySource = Record<(typeof BURN_SOURCES)[number], typeof BurnsOfSourceSchema>;

export type RevenueAnswer = Static<typeof RevenueSchema>;
