import type { Static } from 'typebox';
import type { ListedToken } from '../../db/market/listed-token.ts';
import { QUOTE_ONLY_FEES } from '../../domain/token-facts.ts';
import { graduationProgress } from '../../domain/market/graduation.ts';
import { categoryLabel } from '../../domain/pair-categories.ts';
import { LAUNCHPAD } from '../answers/fields.ts';
import { toNumber, toNumberOrNull } from '../answers/numbers.ts';
import { present } from '../answers/present.ts';
import { type QuoteSchema, shortQuote } from '../answers/quotes.ts';
import type { MarketSchema, TokenAnswer } from './token.schema.ts';

/** What the API says of a token, in lists and alone. */
export function toTokenAnswer(token: ListedToken): TokenAnswer {
  const { mint, logoUrl, rewardTaxBps, graduatedAt, status, marketCapUsd } = token;
  return {
    address: mint,
    mint,
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    logoUrl,
    imageUrl: logoUrl,
    url: token.url,
    metadataUri: token.metadataUri,
    links: token.links,
    pool: token.pool,
    launchpad: LAUNCHPAD,
    quoteMint: token.quoteMint,
    quoteSymbol: token.quoteSymbol,
    quote: quoteOf(token),
    quoteOnlyFees: QUOTE_ONLY_FEES,
    creator: token.creator,
    createdAt: token.createdAt,
    mode: token.mode,
    status,
    graduationProgress: toNumber(graduationProgress(status, marketCapUsd)),
    market: marketOf(token),
    ...(graduatedAt !== null && { graduatedAt }),
    ...(rewardTaxBps !== null && { transferFee: { bps: rewardTaxBps } }),
    ...(token.flywheel && { flywheel: { active: true } }),
  };
}

/** A token that was recorded with a quote token that is not among the pairs has what it was recorded with. */
function quoteOf(token: ListedToken): Static<typeof QuoteSchema> {
  const { quoteSymbol, quoteName, quoteLogoUrl, quoteCategory, quoteDecimals } = token;
  const category = quoteCategory ?? 'custom';
  return {
    ...shortQuote(token),
    name: quoteName ?? quoteSymbol,
    ...(quoteDecimals !== null && { decimals: quoteDecimals }),
    logoUrl: quoteLogoUrl,
    category,
    categoryLabel: categoryLabel(category),
  };
}

function marketOf(token: ListedToken): Static<typeof MarketSchema> {
  const marketCapUsd = toNumberOrNull(token.marketCapUsd);
  return present({
    priceUsd: toNumberOrNull(token.priceUsd),
    priceQuote: toNumberOrNull(token.priceQuote),
    marketCapUsd,
    fdvUsd: marketCapUsd,
    peakMarketCapUsd: toNumberOrNull(token.highWaterMarketCapUsd),
    volume24hUsd: toNumber(token.volume24hUsd),
    liquidityUsd: toNumberOrNull(token.liquidityUsd),
    priceChange24h: toNumberOrNull(token.priceChange24hPercent),
    holders: token.holders,
  });
}
