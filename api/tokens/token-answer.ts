import type { Static } from 'typebox';
import type { LookAlike } from '../../db/look-alikes.ts';
import { similarToAnswer } from '../answers/similar-to.ts';
import type { ListedToken } from '../../db/market/listed-token.ts';
import { QUOTE_ONLY_FEES } from '../../domain/token-facts.ts';
import { graduationProgress } from '../../domain/market/graduation.ts';
import { categoryLabel } from '../../domain/pair-categories.ts';
import { LAUNCHPAD } from '../answers/fields.ts';
import { toNumber, toNumberOrNull } from '../answers/numbers.ts';
import { present } from '../answers/present.ts';
import { type QuoteSchema, shortQuote } from '../answers/quotes.ts';
import { airdropFlagsAnswer } from '../launch/airdrop-flags.ts';
import type { MarketSchema, TokenAnswer } from './token.schema.ts';

/** Pairs without a logo show the platform's. */
export function toTokenAnswer(
  token: ListedToken,
  platformLogoUrl: string,
  lookAlike: LookAlike | null = null,
): TokenAnswer {
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
    links: givenLinks(token),
    pool: token.pool,
    launchpad: LAUNCHPAD,
    quoteMint: token.quoteMint,
    quoteSymbol: token.quoteSymbol,
    quote: quoteOf(token, platformLogoUrl),
    quoteOnlyFees: QUOTE_ONLY_FEES,
    creator: token.creator,
    createdAt: token.createdAt,
    mode: token.mode,
    status,
    graduationProgress: toNumber(graduationProgress(status, marketCapUsd)),
    market: marketOf(token),
    ...(graduatedAt !== null && { graduatedAt }),
    ...(rewardTaxBps !== null && { transferFee: { bps: rewardTaxBps } }),
    ...(lookAlike && { similarTo: similarToAnswer(lookAlike) }),
    ...(token.flywheel && { flywheel: { active: true } }),
    ...airdropFlagsAnswer(airdropOf(token)),
  };
}

function givenLinks({ links, url }: ListedToken): TokenAnswer['links'] {
  const { website, ...others } = links;
  return website === url ? others : { website, ...others };
}

function airdropOf({ airdropShareRaw, airdropDeliveredRaw }: ListedToken) {
  if (airdropShareRaw === null || airdropDeliveredRaw === null) return null;
  return { shareRaw: BigInt(airdropShareRaw), deliveredRaw: BigInt(airdropDeliveredRaw) };
}

/** An unlisted one keeps its recorded values. */
function quoteOf(token: ListedToken, platformLogoUrl: string): Static<typeof QuoteSchema> {
  const { quoteSymbol, quoteName, quoteLogoUrl, quoteCategory, quoteDecimals } = token;
  const category = quoteCategory ?? 'custom';
  return {
    ...shortQuote(token),
    name: quoteName ?? quoteSymbol,
    ...(quoteDecimals !== null && { decimals: quoteDecimals }),
    logoUrl: quoteLogoUrl ?? platformLogoUrl,
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
    priceChange1h: toNumberOrNull(token.priceChange1hPercent),
    priceChange6h: toNumberOrNull(token.priceChange6hPercent),
    priceChange24h: toNumberOrNull(token.priceChange24hPercent),
    trades24h: token.trades24h,
    traders24h: token.traders24h,
    holders: token.holders,
  });
}
