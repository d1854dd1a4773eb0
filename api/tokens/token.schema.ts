import Type, { type Static } from 'typebox';
import {
  address,
  count,
  figure,
  LaunchpadSchema,
  ModeSchema,
  moment,
  optionalFigure,
  record,
  text,
  TransferFeeSchema,
} from '../answers/fields.ts';
import { SimilarToSchema } from '../answers/similar-to.ts';
import { QuoteSchema } from '../answers/quotes.ts';
import { airdropFlags } from '../launch/airdrop-flags.ts';

/** Unknown values are omitted. */
export const MarketSchema = record({
  priceUsd: optionalFigure('USD for one token'),
  priceQuote: optionalFigure('Quote tokens for one token'),
  marketCapUsd: optionalFigure('Market cap, USD; it falls with burns'),
  fdvUsd: optionalFigure('The same: all of the supply is out'),
  peakMarketCapUsd: optionalFigure(
    'The highest recorded market cap, USD; it never falls. Final swaps at a steady price raise it, and a quote token that became dearer; the present cap may be higher',
  ),
  volume24hUsd: figure('Trades of the last 24 hours, USD'),
  liquidityUsd: optionalFigure('Both sides of the pool, USD'),
  priceChange1h: optionalFigure('Change of the price against an hour ago, percent'),
  priceChange6h: optionalFigure('Change of the price against six hours ago, percent'),
  priceChange24h: optionalFigure('Change of the price against 24 hours ago, percent'),
  trades24h: Type.Optional(count('Trades of the last 24 hours; counted again within a minute')),
  traders24h: Type.Optional(count('Wallets that traded in these hours')),
  holders: Type.Optional(count('Wallets that hold some; counted again within minutes of trades')),
});

export const LinksSchema = record({
  website: Type.Optional(text('Website')),
  twitter: Type.Optional(text('X')),
  telegram: Type.Optional(text('Telegram')),
});

export const TokenSchema = record({
  address: address('Mint, as the asset index calls it'),
  mint: address('Mint'),
  name: text('Name'),
  symbol: text('Symbol'),
  decimals: count('Decimals'),
  url: text('Page of the token'),
  pool: address('Pool'),
  createdAt: moment('Launch'),
  launchpad: LaunchpadSchema,
  market: MarketSchema,
  logoUrl: text('Logo'),
  imageUrl: text('Logo'),
  metadataUri: text('Permanent metadata'),
  links: LinksSchema,
  quoteMint: address('Mint of the paired token'),
  quoteSymbol: text('Its symbol'),
  quote: QuoteSchema,
  quoteOnlyFees: Type.Boolean({ description: 'Whether the pool takes its fees in the quote token alone' }),
  creator: address('Wallet that launched it'),
  mode: ModeSchema,
  status: Type.Enum(['new', 'aboutToGraduate', 'graduated'], { description: 'Graduation' }),
  graduationProgress: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Present market cap over the threshold, below 1 until the token has graduated; then 1',
  }),
  graduatedAt: Type.Optional(moment('Only once it has graduated')),
  transferFee: Type.Optional(TransferFeeSchema),
  ...airdropFlags,
  similarTo: Type.Optional(SimilarToSchema),
  flywheel: Type.Optional(record({ active: Type.Literal(true) }, 'Only while it is in the buyback rankings')),
});

export type TokenAnswer = Static<typeof TokenSchema>;
