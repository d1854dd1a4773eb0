import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';
import type { Paging } from '../paging.ts';
import type { GraduationStatus } from '../schema/market.ts';
import { type ListedRow, type ListedToken, runText, TOKEN_COLUMNS, withLinks } from './listed-token.ts';
import { MARKET_TOTALS } from './market-totals.ts';
import { type Bind, matchesSearch, pagesToPlanFor } from './token-search.ts';

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

export interface TokenListPage {
  readonly tokens: readonly ListedToken[];
  readonly hasMore: boolean;
}

/** The same as the indexes of token_markets. */
const ORDERS: Readonly<Record<TokenSort, string>> = {
  marketCap: 'm.market_cap_usd desc nulls last, m.mint desc',
  newest: 'm.created_at desc, m.mint desc',
  volume: 'm.volume24h_usd desc, m.mint desc',
};

/** The same from the end, so that the indexes are read backward. */
const REVERSED: Readonly<Record<TokenSort, string>> = {
  marketCap: 'm.market_cap_usd asc nulls first, m.mint asc',
  newest: 'm.created_at asc, m.mint asc',
  volume: 'm.volume24h_usd asc, m.mint asc',
};

/** What a token's place in these orders is by, before its mint. */
const PLACES: Readonly<Record<TokenSort, string>> = {
  marketCap: 'market_cap_usd',
  newest: 'created_at',
  volume: 'volume24h_usd',
};

/**
 * Tokens that are neither hidden nor withdrawn, a page in an order. What a page does not show is not read from `tokens`.
 * `total` is about how many the filter leaves, where that is known: what is nearer to the end is counted off from there.
 */
export async function listTokens(
  db: Db,
  filter: TokenFilter,
  sort: TokenSort,
  { page, pageSize }: Paging,
  total = Number.POSITIVE_INFINITY,
): Promise<TokenListPage> {
  const quoteMints = filter.category === undefined ? null : await mintsOfCategory(db, filter.category);
  const order = ORDERS[sort];
  const isNearEnd = filter.q === undefined && (page - 1) * pageSize > total / 2;
  const pageTable = isNearEnd ? pageFromEnd : pageOf;
  const rows = await runText<ListedRow>(
    db,
    (bind) => `
    with ${pageTable(filter, quoteMints, sort, { page, pageSize }, bind)}
    select ${TOKEN_COLUMNS} from page join token_markets m using (mint) join tokens t using (mint)
    left join pairs p on p.mint = t.quote_mint order by ${order}`,
  );
  return { tokens: rows.slice(0, pageSize).map(withLinks), hasMore: rows.length > pageSize };
}

/** How many tokens that are neither hidden nor withdrawn a filter leaves: what a search finds is counted, the rest is kept. */
export async function countTokens(db: Db, filter: TokenFilter): Promise<number> {
  const quoteMints = filter.category === undefined ? null : await mintsOfCategory(db, filter.category);
  const rows = await runText<{ readonly total: number }>(db, (bind) =>
    filter.q === undefined
      ? `select coalesce(sum(tokens), 0)::integer as total from ${MARKET_TOTALS} m where ${facts(filter, quoteMints, bind)}`
      : `select count(*)::integer as total from token_markets m where ${conditions(filter, quoteMints, bind)}`,
  );
  return rows[0]?.total ?? 0;
}

/** The table `page` with the mints of a page and of the first token after it. */
function pageOf(
  filter: TokenFilter,
  quoteMints: readonly string[] | null,
  sort: TokenSort,
  paging: Paging,
  bind: Bind,
) {
  const [order, size, offset] = [ORDERS[sort], paging.pageSize + 1, (paging.page - 1) * paging.pageSize];
  const where = conditions(filter, quoteMints, bind);
  const plannedFor = filter.q === undefined ? 1 : pagesToPlanFor(filter.q);
  if (plannedFor === 1) {
    return `page as (
      select m.mint from token_markets m where ${where} order by ${order} limit ${bind(size)} offset ${bind(offset)}
    )`;
  }
  // No more of what is found is read than the page takes of it, in its order.
  return `found as materialized (
      select m.mint, m.${PLACES[sort]} from token_markets m where ${where}
      order by ${order} limit ${bind(offset + size * plannedFor)}
    ), page as (select m.mint from found m order by ${order} limit ${bind(size)} offset ${bind(offset)})`;
}

/**
 * The same table, counted off from the end. How many come after the page follows from the totals that are kept, which the same
 * statement reads: they and the rows are of one moment. The outer limit cuts nothing off: it tells the planner how few they are.
 */
function pageFromEnd(
  filter: TokenFilter,
  quoteMints: readonly string[] | null,
  sort: TokenSort,
  paging: Paging,
  bind: Bind,
) {
  const [size, offset] = [paging.pageSize + 1, (paging.page - 1) * paging.pageSize];
  return `rest as (
      select coalesce(sum(tokens), 0)::bigint - ${bind(offset)}::bigint as tokens
      from ${MARKET_TOTALS} m where ${facts(filter, quoteMints, bind)}
    ), page as (
      select mint from (
        select m.mint from token_markets m where ${conditions(filter, quoteMints, bind)} order by ${REVERSED[sort]}
        limit (select greatest(least(tokens, ${bind(size)}::bigint), 0) from rest)
        offset (select greatest(tokens - ${bind(size)}::bigint, 0) from rest)
      ) nearest limit ${bind(size)}
    )`;
}

/** Asked first and given as values, so that the planner knows how frequent they are. */
async function mintsOfCategory(db: Db, category: string): Promise<string[]> {
  const rows = await db.selectFrom('pairs').select('mint').where('category', '=', category).execute();
  return rows.map(({ mint }) => mint);
}

function conditions(filter: TokenFilter, quoteMints: readonly string[] | null, bind: Bind): string {
  // `listed` is a literal, so that the planner can tell that the partial indexes apply.
  const search = filter.q === undefined ? [] : [matchesSearch(filter.q, bind)];
  return ['m.listed', facts(filter, quoteMints, bind), ...search].join(' and ');
}

/** Of a filter what is the same for many tokens. */
function facts({ mode, status, quoteMint }: TokenFilter, quoteMints: readonly string[] | null, bind: Bind): string {
  const all = ['true'];
  if (mode !== undefined) all.push(`m.mode = ${bind(mode)}`);
  if (status !== undefined) all.push(`m.status = ${bind(status)}`);
  if (quoteMint !== undefined) all.push(`m.quote_mint = ${bind(quoteMint)}`);
  if (quoteMints) all.push(`m.quote_mint = any(${bind(quoteMints)}::text[])`);
  return all.join(' and ');
}
