import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';
import { keepPlan } from '../kept-plans.ts';
import { runText } from '../run-text.ts';
import type { Paging } from '../paging.ts';
import type { GraduationStatus } from '../../domain/market/graduation.ts';
import { type ListedRow, type ListedToken, TOKEN_COLUMNS, TOKEN_JOINS, withLinks } from './listed-token.ts';
import { MARKET_TOTALS } from './market-totals.ts';
import { type Bind, matchesSearch, pagesToPlanFor } from './token-search.ts';

/** Sort orders, all descending; ties by mint. */
export const TOKEN_SORTS = ['marketCap', 'newest', 'volume'] as const;
export type TokenSort = (typeof TOKEN_SORTS)[number];

/** Filters; several are combined. */
export interface TokenFilter {
  /** Part of name or symbol, any case, or prefix of the mint. */
  readonly q?: string;
  readonly mode?: LaunchMode;
  readonly status?: GraduationStatus;
  readonly quoteMint?: string;
  readonly category?: string;
  /** Launched with an airdrop. */
  readonly airdrop?: true;
  /** USD, inclusive; a token without a price is in no range of caps. */
  readonly minMarketCapUsd?: number;
  readonly maxMarketCapUsd?: number;
  readonly minVolume24hUsd?: number;
  /** ISO 8601, inclusive. */
  readonly createdAfter?: string;
  /** ISO 8601, exclusive. */
  readonly createdBefore?: string;
}

/** Conditions of the ranges, each by its parameter. */
const RANGES = {
  minMarketCapUsd: (value: string) => `m.market_cap_usd >= ${value}::numeric`,
  maxMarketCapUsd: (value: string) => `m.market_cap_usd <= ${value}::numeric`,
  minVolume24hUsd: (value: string) => `m.volume24h_usd >= ${value}::numeric`,
  createdAfter: (value: string) => `m.created_at >= ${value}::timestamptz`,
  createdBefore: (value: string) => `m.created_at < ${value}::timestamptz`,
} as const;

type Range = keyof typeof RANGES;

const RANGE_NAMES: readonly Range[] = [
  'minMarketCapUsd',
  'maxMarketCapUsd',
  'minVolume24hUsd',
  'createdAfter',
  'createdBefore',
];

export interface TokenListPage {
  readonly tokens: readonly ListedToken[];
  readonly hasMore: boolean;
}

/** Orders in SQL; they must match the indexes of token_markets. */
export const ORDERS: Readonly<Record<TokenSort, string>> = {
  marketCap: 'm.market_cap_usd desc nulls last, m.mint desc',
  newest: 'm.created_at desc, m.mint desc',
  volume: 'm.volume24h_usd desc, m.mint desc',
};

/** Reversed orders, which read the indexes backward. */
const REVERSED: Readonly<Record<TokenSort, string>> = {
  marketCap: 'm.market_cap_usd asc nulls first, m.mint asc',
  newest: 'm.created_at asc, m.mint asc',
  volume: 'm.volume24h_usd asc, m.mint asc',
};

const PLACES: Readonly<Record<TokenSort, string>> = {
  marketCap: 'market_cap_usd',
  newest: 'created_at',
  volume: 'volume24h_usd',
};

function answersIn(sort: TokenSort): string {
  return keepPlan(
    `tokens-by-${sort}`,
    `select ${TOKEN_COLUMNS} from token_markets m join tokens t using (mint) ${TOKEN_JOINS}
    where m.mint = any((select $1::text[])::text[]) order by ${ORDERS[sort]}`,
  );
}

/** Reads tokens by their mints, in an order. */
const ANSWERS: Readonly<Record<TokenSort, string>> = {
  marketCap: answersIn('marketCap'),
  newest: answersIn('newest'),
  volume: answersIn('volume'),
};

/**
 * Finds the page's mints by a statement that is planned for the filter's values, and reads their rows by one that is
 * not.
 *
 * @param total approximate; pages near the end are read backward
 */
export async function listTokens(
  db: Db,
  filter: TokenFilter,
  sort: TokenSort,
  { page, pageSize }: Paging,
  total = Number.POSITIVE_INFINITY,
): Promise<TokenListPage> {
  const quoteMints = filter.category === undefined ? null : await mintsOfCategory(db, filter.category);
  const isNearEnd = hasKeptTotal(filter) && (page - 1) * pageSize > total / 2;
  const pageTable = isNearEnd ? pageFromEnd : pageOf;
  const found = await runBound<{ readonly mint: string }>(
    db,
    (bind) => `with ${pageTable(filter, quoteMints, sort, { page, pageSize }, bind)} select mint from page`,
  );
  const rows = await runText<ListedRow>(db, ANSWERS[sort], [found.map(({ mint }) => mint)]);
  return { tokens: rows.slice(0, pageSize).map(withLinks), hasMore: found.length > pageSize };
}

function runBound<Row>(db: Db, write: (bind: Bind) => string): Promise<readonly Row[]> {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  return runText(db, text, values);
}

/** Counts the matches of a search; other filters read kept totals. */
export async function countTokens(db: Db, filter: TokenFilter): Promise<number> {
  const quoteMints = filter.category === undefined ? null : await mintsOfCategory(db, filter.category);
  const rows = await runBound<{ readonly total: number }>(db, (bind) =>
    hasKeptTotal(filter)
      ? `select coalesce(sum(tokens), 0)::integer as total from ${MARKET_TOTALS} m where ${facts(filter, quoteMints, bind)}`
      : `select count(*)::integer as total from token_markets m where ${conditions(filter, quoteMints, bind)}`,
  );
  return rows[0]?.total ?? 0;
}

/** True if kept totals apply: they know neither names nor airdrops nor ranges. */
function hasKeptTotal(filter: TokenFilter): boolean {
  const { q, airdrop } = filter;
  return q === undefined && airdrop === undefined && RANGE_NAMES.every((range) => filter[range] === undefined);
}

/** Writes CTE `page`: the mints and one more, which reveals a next page. */
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
  // As many as the pages need.
  return `found as materialized (
      select m.mint, m.${PLACES[sort]} from token_markets m where ${where}
      order by ${order} limit ${bind(offset + size * plannedFor)}
    ), page as (select m.mint from found m order by ${order} limit ${bind(size)} offset ${bind(offset)})`;
}

/**
 * Reads the page from the end, totals in the same statement. The outer limit only tells the planner how few rows
 * remain.
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

/** Values, so that the planner knows their frequency. */
async function mintsOfCategory(db: Db, category: string): Promise<string[]> {
  const rows = await db.selectFrom('pairs').select('mint').where('category', '=', category).execute();
  return rows.map(({ mint }) => mint);
}

function conditions(filter: TokenFilter, quoteMints: readonly string[] | null, bind: Bind): string {
  // A literal, for the partial indexes.
  const all = ['m.listed', facts(filter, quoteMints, bind)];
  if (filter.airdrop) all.push('m.has_airdrop');
  for (const range of RANGE_NAMES) {
    if (filter[range] !== undefined) all.push(RANGES[range](bind(filter[range])));
  }
  if (filter.q !== undefined) all.push(matchesSearch(filter.q, bind));
  return all.join(' and ');
}

/** Returns the filter's conditions except the search. */
function facts({ mode, status, quoteMint }: TokenFilter, quoteMints: readonly string[] | null, bind: Bind): string {
  const all = ['true'];
  if (mode !== undefined) all.push(`m.mode = ${bind(mode)}`);
  if (status !== undefined) all.push(`m.status = ${bind(status)}`);
  if (quoteMint !== undefined) all.push(`m.quote_mint = ${bind(quoteMint)}`);
  if (quoteMints) all.push(`m.quote_mint = any(${bind(quoteMints)}::text[])`);
  return all.join(' and ');
}
