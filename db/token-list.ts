import { type RawBuilder, sql } from 'kysely';
import type { LaunchMode, RewardTaxBps } from '../domain/launch-facts.ts';
import type { Db } from './connect.ts';
import type { Paging } from './launches.ts';
import type { GraduationStatus } from './schema.ts';
import { matchesSearch } from './token-search.ts';

/** Orders of the token list, each from the greatest or newest down, equal ones by mint. */
export const TOKEN_SORTS = ['marketCap', 'newest', 'volume'] as const;
export type TokenSort = (typeof TOKEN_SORTS)[number];

/** Which tokens of the list, all filters combined. */
export interface TokenFilter {
  /** Part of the name or symbol in any case, or the beginning of the mint. */
  readonly q?: string;
  readonly mode?: LaunchMode;
  readonly status?: GraduationStatus;
  readonly quoteMint?: string;
  /** Category of the paired token. */
  readonly category?: string;
}

/** A token with its market, as lists and one-token reads show it. USD and prices are exact decimal strings. */
export interface ListedToken {
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
  readonly createdAt: Date;
  readonly mode: LaunchMode;
  readonly rewardTaxBps: RewardTaxBps | null;
  readonly status: GraduationStatus;
  readonly priceUsd: string | null;
  readonly priceQuote: string | null;
  readonly marketCapUsd: string | null;
  readonly highWaterMarketCapUsd: string | null;
  readonly volume24hUsd: string;
  readonly liquidityUsd: string | null;
  readonly priceChange24hPercent: string | null;
  readonly holders: number | null;
}

export interface TokenListPage {
  readonly tokens: readonly ListedToken[];
  readonly hasMore: boolean;
}

/** The same as the indexes of token_markets. */
const ORDERS: Readonly<Record<TokenSort, RawBuilder<unknown>>> = {
  marketCap: sql`m.market_cap_usd desc nulls last, m.mint desc`,
  newest: sql`m.created_at desc, m.mint desc`,
  volume: sql`m.volume24h_usd desc, m.mint desc`,
};

const COLUMNS = sql`t.mint, t.name, t.symbol, t.decimals, t.logo_url, t.url, t.pool, t.quote_mint, t.quote_symbol, t.creator,
  t.created_at, t.mode, t.reward_tax_bps, m.status, m.price_usd, m.price_quote, m.market_cap_usd, m.high_water_market_cap_usd,
  m.volume24h_usd, m.liquidity_usd, m.price_change24h_percent, m.holders`;

/** Tokens that are neither hidden nor withdrawn, a page in an order. What a page does not show is not read from `tokens`. */
export async function listTokens(
  db: Db,
  filter: TokenFilter,
  sort: TokenSort,
  { page, pageSize }: Paging,
): Promise<TokenListPage> {
  const quoteMints = filter.category === undefined ? null : await mintsOfCategory(db, filter.category);
  const order = ORDERS[sort];
  const { rows } = await sql<ListedToken>`
    with page as (
      select m.mint from token_markets m where ${conditions(filter, quoteMints)}
      order by ${order} limit ${pageSize + 1} offset ${(page - 1) * pageSize}
    )
    select ${COLUMNS} from page join token_markets m using (mint) join tokens t using (mint) order by ${order}`.execute(
    db,
  );
  return { tokens: rows.slice(0, pageSize), hasMore: rows.length > pageSize };
}

/** One token, hidden or not; null for one that is unknown or withdrawn. */
export async function findListedToken(db: Db, mint: string): Promise<ListedToken | null> {
  const { rows } = await sql<ListedToken>`
    select ${COLUMNS} from tokens t join token_markets m using (mint)
    where t.mint = ${mint} and t.withdrawn_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Asked first and given as values, so that the planner knows how frequent they are. */
async function mintsOfCategory(db: Db, category: string): Promise<string[]> {
  const rows = await db.selectFrom('pairs').select('mint').where('category', '=', category).execute();
  return rows.map(({ mint }) => mint);
}

function conditions({ q, mode, status, quoteMint }: TokenFilter, quoteMints: readonly string[] | null) {
  // A literal, so that the planner can tell that the partial indexes apply.
  const all: RawBuilder<boolean>[] = [sql`m.listed`];
  if (mode !== undefined) all.push(sql`m.mode = ${mode}`);
  if (status !== undefined) all.push(sql`m.status = ${status}`);
  if (quoteMint !== undefined) all.push(sql`m.quote_mint = ${quoteMint}`);
  if (quoteMints) all.push(sql`m.quote_mint = any(${quoteMints}::text[])`);
  if (q !== undefined) all.push(matchesSearch(q));
  return sql.join(all, sql` and `);
}
