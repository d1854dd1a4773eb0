import type { ListedToken } from '../../db/token-list.ts';

/** A token as lists and one-token reads answer it. Prices and USD are exact decimal strings, null where no price is known. */
export interface TokenAnswer {
  readonly address: string;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly logoUrl: string;
  readonly url: string;
  readonly pool: string;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly creator: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly mode: ListedToken['mode'];
  readonly status: ListedToken['status'];
  /** Reward tokens only: the transfer tax in bps. */
  readonly transferFee?: { readonly bps: number };
  readonly priceUsd: string | null;
  /** Whole quote tokens for one token. */
  readonly priceQuote: string | null;
  readonly marketCapUsd: string | null;
  readonly highWaterMarketCapUsd: string | null;
  readonly volume24hUsd: string;
  /** Both sides of the pool. */
  readonly liquidityUsd: string | null;
  /** Percent. */
  readonly priceChange24h: string | null;
  readonly holders: number | null;
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
