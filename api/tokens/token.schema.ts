import Type, { type Static } from 'typebox';
import {
  address,
  count,
  figure,
  LaunchpadSchema,
  ModeSchema,
  moment,
  nullable,
  optionalFigure,
  record,
  text,
  TransferFeeSchema,
} from '../answers/fields.ts';
import { QuoteSchema } from '../answers/quotes.ts';

/** The market of a token. What is not known is left out. */
export const MarketSchema = record({
  priceUsd: optionalFigure('USD for one token'),
  priceQuote: optionalFigure('Quote tokens for one token'),
  marketCapUsd: optionalFigure('Market cap, USD; it falls with burns'),
  fdvUsd: optionalFigure('The same: all of the supply is out'),
  peakMarketCapUsd: optionalFigure('The highest market cap ever seen, USD'),
  volume24hUsd: figure('Trades of the last 24 hours, USD'),
  liquidityUsd: optionalFigure('Both sides of the pool, USD'),
  priceChange24h: optionalFigure('Change of the price against 24 hours ago, percent'),
  holders: Type.Optional(count('Wallets that hold some; counted again within minutes of trades')),
});

export const LinksSchema = record({
  website: Type.Optional(text('Website')),
  twitter: Type.Optional(text('X')),
  telegram: Type.Optional(text('Telegram')),
});

/** What every token has. */
const identity = {
  address: address('Mint, as the asset index calls it'),
  mint: address('Mint'),
  name: text('Name'),
  symbol: text('Symbol'),
  decimals: count('Decimals'),
  url: text('Page of the token'),
  pool: address('Pool; of a token that was not launched here, the greatest that is paired with it'),
  createdAt: moment('Launch; of a token that was not launched here, when it was listed'),
  launchpad: LaunchpadSchema,
  market: MarketSchema,
};

/** A launched token with its market. */
export const TokenSchema = record({
  ...identity,
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
    description: 'Market cap over the threshold; 1 once graduated',
  }),
  graduatedAt: Type.Optional(moment('Only once it has graduated')),
  transferFee: Type.Optional(TransferFeeSchema),
  flywheel: Type.Optional(record({ active: Type.Literal(true) }, 'Only while it is in the buyback rankings')),
});

export type TokenAnswer = Static<typeof TokenSchema>;

/** A token that was not launched here and that pools are paired with: what there is of it. */
export const ListedQuoteSchema = record({
  ...identity,
  logoUrl: nullable(text('Logo')),
  imageUrl: nullable(text('Logo')),
  links: LinksSchema,
  quoteMint: Type.Null(),
  quoteSymbol: Type.Null(),
  quote: Type.Null(),
  creator: Type.Null(),
  mode: Type.Null(),
  status: Type.Null(),
  category: text('Category of the pair'),
  categoryLabel: text('The same for people'),
});

export type ListedQuoteAnswer = Static<typeof ListedQuoteSchema>;
