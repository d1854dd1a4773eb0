import * as pairs from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import * as tokens from '../../db/tokens.ts';
import { categoryLabel } from '../../domain/pair-categories.ts';
import { LAUNCHPAD } from '../answers/fields.ts';
import { toNumberOrNull } from '../answers/numbers.ts';
import { present } from '../answers/present.ts';
import type { ApiDeps } from '../deps.ts';
import { freshPrice } from '../pairs/fresh-price.ts';
import type { ListedQuoteAnswer } from './token.schema.ts';

/**
 * A token that was not launched here but that pools are paired with: what is known of it, and the one of its pools whose token
 * has the greatest market cap. Null for a mint that no pool is paired with.
 */
export async function findQuoteToken(
  { db, now, config }: Pick<ApiDeps, 'db' | 'now' | 'config'>,
  mint: string,
): Promise<ListedQuoteAnswer | null> {
  const [pair, pool, price] = await Promise.all([
    pairs.byMint(db, mint),
    tokens.greatestPoolOf(db, mint),
    prices.latest(db, mint),
  ]);
  if (!pair || pool === null) return null;
  const { name, symbol, decimals, logoUrl, category, addedAt } = pair;
  const priceUsd = toNumberOrNull(freshPrice(pair, price ?? undefined, now()));
  return {
    address: mint,
    mint,
    name,
    symbol,
    decimals,
    logoUrl,
    imageUrl: logoUrl,
    url: `${config.siteUrl}/tokens/${mint}`,
    links: {},
    pool,
    launchpad: LAUNCHPAD,
    quoteMint: null,
    quoteSymbol: null,
    quote: null,
    creator: null,
    createdAt: addedAt.toISOString(),
    mode: null,
    status: null,
    category,
    categoryLabel: categoryLabel(category),
    // Its trades elsewhere are not followed.
    market: present({ priceUsd, volume24hUsd: 0 }),
  };
}
