import type { ListedToken } from '../../db/market/token-list.ts';

/** A token as lists and one-token reads answer it. Prices and USD are exact decimal strings, null where no price is known. */
export interface TokenAnswer extends Omit<ListedToken, 'rewardTaxBps' | 'priceChange24hPercent' | 'flywheel'> {
  /** The mint once more, under the name that the asset index has. */
  readonly address: string;
  /** Reward tokens only: the transfer tax in bps. */
  readonly transferFee?: { readonly bps: number };
  /** Only while the token is in the buyback ranking. */
  readonly flywheel?: { readonly active: true };
  /** Percent. */
  readonly priceChange24h: string | null;
}

/** What the API says of a token. */
export function toTokenAnswer(token: ListedToken): TokenAnswer {
  return {
    address: token.mint,
    mint: token.mint,
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    logoUrl: token.logoUrl,
    url: token.url,
    pool: token.pool,
    quoteMint: token.quoteMint,
    quoteSymbol: token.quoteSymbol,
    creator: token.creator,
    createdAt: token.createdAt,
    mode: token.mode,
    status: token.status,
    ...(token.rewardTaxBps !== null && { transferFee: { bps: token.rewardTaxBps } }),
    ...(token.flywheel && { flywheel: { active: true } }),
    priceUsd: token.priceUsd,
    priceQuote: token.priceQuote,
    marketCapUsd: token.marketCapUsd,
    highWaterMarketCapUsd: token.highWaterMarketCapUsd,
    volume24hUsd: token.volume24hUsd,
    liquidityUsd: token.liquidityUsd,
    priceChange24h: token.priceChange24hPercent,
    holders: token.holders,
  };
}
