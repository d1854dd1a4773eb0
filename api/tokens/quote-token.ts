import * as pairs from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import * as tokens from '../../db/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { freshPrice } from '../pairs/fresh-price.ts';

/**
 * A token that was not launched here but that pools are paired with: what is known of it, and the one of its pools whose token
 * has the greatest market cap. Null for a mint that no pool is paired with.
 */
export async function findQuoteToken(
  { db, now, config }: Pick<ApiDeps, 'db' | 'now' | 'config'>,
  mint: string,
): Promise<object | null> {
  const [pair, pool, price] = await Promise.all([
    pairs.byMint(db, mint),
    tokens.greatestPoolOf(db, mint),
    prices.latest(db, mint),
  ]);
  if (!pair || pool === null) return null;
  const { name, symbol, decimals, logoUrl, category, addedAt } = pair;
  return {
    address: mint,
    mint,
    name,
    symbol,
    decimals,
    logoUrl,
    url: `${config.siteUrl}/tokens/${mint}`,
    pool,
    quoteMint: null,
    quoteSymbol: null,
    creator: null,
    mode: null,
    status: null,
    createdAt: addedAt.toISOString(),
    category,
    priceUsd: freshPrice(pair, price ?? undefined, now()),
    priceQuote: null,
    marketCapUsd: null,
    highWaterMarketCapUsd: null,
    volume24hUsd: null,
    liquidityUsd: null,
    priceChange24h: null,
    holders: null,
    launch: null,
  };
}
