import { CompiledQuery } from 'kysely';
import type { LaunchLinks } from '../../domain/launch/terms.ts';
import type { LaunchMode, RewardTaxBps } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';
import type { GraduationStatus } from '../schema/market.ts';
import { parseLinks } from './token-links.ts';
import type { Bind } from './token-search.ts';

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
  /** What the pairs say of the quote token; null where it is not listed there. */
  readonly quoteName: string | null;
  readonly quoteLogoUrl: string | null;
  readonly quoteCategory: string | null;
  readonly quoteDecimals: number | null;
  readonly metadataUri: string;
  readonly links: LaunchLinks;
  readonly creator: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly mode: LaunchMode;
  readonly rewardTaxBps: RewardTaxBps | null;
  readonly status: GraduationStatus;
  /** ISO 8601, UTC; null until it has graduated. */
  readonly graduatedAt: string | null;
  readonly priceUsd: string | null;
  /** Whole quote tokens for one token. */
  readonly priceQuote: string | null;
  readonly marketCapUsd: string | null;
  readonly highWaterMarketCapUsd: string | null;
  readonly volume24hUsd: string;
  /** Both sides of the pool. */
  readonly liquidityUsd: string | null;
  readonly priceChange24hPercent: string | null;
  readonly holders: number | null;
  /** In the buyback ranking. */
  readonly flywheel: boolean;
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/**
 * What is read of tokens `t`, their markets `m` and the pairs `p` of their quote tokens. As the answer has them: figures as text
 * without trailing zeros, so that nothing is left to convert row by row.
 */
export const TOKEN_COLUMNS = `
  t.mint, t.name, t.symbol, t.decimals, t.logo_url as "logoUrl", t.url, t.pool, t.quote_mint as "quoteMint",
  t.quote_symbol as "quoteSymbol", t.creator, t.mode, t.reward_tax_bps as "rewardTaxBps", m.status, m.holders, m.flywheel,
  t.metadata_uri as "metadataUri", t.links, p.name as "quoteName", p.logo_url as "quoteLogoUrl",
  p.category as "quoteCategory", p.decimals as "quoteDecimals",
  to_char(t.created_at at time zone 'UTC', ${ISO}) as "createdAt",
  to_char(m.graduated_at at time zone 'UTC', ${ISO}) as "graduatedAt",
  trim_scale(m.price_usd)::text as "priceUsd", trim_scale(m.price_quote)::text as "priceQuote",
  trim_scale(m.market_cap_usd)::text as "marketCapUsd",
  trim_scale(m.high_water_market_cap_usd)::text as "highWaterMarketCapUsd",
  trim_scale(m.volume24h_usd)::text as "volume24hUsd", trim_scale(m.liquidity_usd)::text as "liquidityUsd",
  trim_scale(m.price_change24h_percent)::text as "priceChange24hPercent"`;

/** One token, hidden or not; null for one that is unknown or withdrawn. */
export async function findListedToken(db: Db, mint: string): Promise<ListedToken | null> {
  const rows = await runText<ListedRow>(
    db,
    (bind) => `
    select ${TOKEN_COLUMNS} from tokens t join token_markets m using (mint) left join pairs p on p.mint = t.quote_mint
    where t.mint = ${bind(mint)} and t.withdrawn_at is null`,
  );
  return rows[0] ? withLinks(rows[0]) : null;
}

/** A row of these columns as it comes, its links not parsed. */
export type ListedRow = Omit<ListedToken, 'links'> & { readonly links: unknown };

export function withLinks(row: ListedRow): ListedToken {
  return Object.assign(row, { links: parseLinks(row.mint, row.links) });
}

/** Runs SQL written as text: the list is read more than anything else, and building it from parts would cost as much as the rest. */
export async function runText<Row>(db: Db, write: (bind: Bind) => string): Promise<readonly Row[]> {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  const { rows } = await db.withoutPlugins().executeQuery<Row>(CompiledQuery.raw(text, values));
  return rows;
}
