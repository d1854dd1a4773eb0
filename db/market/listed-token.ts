import type { LaunchLinks } from '../../domain/launch/terms.ts';
import type { LaunchMode, RewardTaxBps } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';
import { keepPlan } from '../kept-plans.ts';
import { runText } from '../run-text.ts';
import type { GraduationStatus } from '../../domain/market/graduation.ts';
import { parseLinks } from './token-links.ts';

/** A token as lists show it. USD and prices are exact decimals. */
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
  /** Null if not listed. */
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
  /** Null until then. */
  readonly graduatedAt: string | null;
  readonly priceUsd: string | null;
  /** Whole quote tokens per token. */
  readonly priceQuote: string | null;
  readonly marketCapUsd: string | null;
  readonly highWaterMarketCapUsd: string | null;
  readonly volume24hUsd: string;
  /** Both sides. */
  readonly liquidityUsd: string | null;
  readonly priceChange24hPercent: string | null;
  /** Percent, at most 4 fraction digits; null until counted, or without an earlier price. */
  readonly priceChange1hPercent: string | null;
  readonly priceChange6hPercent: string | null;
  /** Null until counted. */
  readonly trades24h: number | null;
  /** Distinct wallets. */
  readonly traders24h: number | null;
  readonly holders: number | null;
  /** Ranked for buybacks. */
  readonly flywheel: boolean;
  /** Raw: given away, and delivered; null without an airdrop. */
  readonly airdropShareRaw: string | null;
  readonly airdropDeliveredRaw: string | null;
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** Change against the earlier price in percent, like domain/market/figures.ts. */
function changeSince(before: string): string {
  return `trim_scale(round((m.price_usd / nullif(d.${before}, 0) - 1) * 100, 4))::text`;
}

/** Columns of tokens `t`, markets `m`, pairs `p`, airdrops `a`, trading `d`; no row needs a conversion. */
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
  trim_scale(m.price_change24h_percent)::text as "priceChange24hPercent",
  ${changeSince('price_usd_before1h')} as "priceChange1hPercent",
  ${changeSince('price_usd_before6h')} as "priceChange6hPercent", d.trades24h, d.traders24h,
  a.share_raw::text as "airdropShareRaw", a.delivered_raw::text as "airdropDeliveredRaw"`;

export const TOKEN_JOINS = `left join pairs p on p.mint = t.quote_mint left join airdrops a on a.mint = t.mint
  left join token_trading d on d.mint = t.mint`;

const FOUND = keepPlan(
  'found-token',
  `select ${TOKEN_COLUMNS} from tokens t join token_markets m using (mint) ${TOKEN_JOINS}
    where t.mint = $1 and t.withdrawn_at is null`,
);

/** Finds a token, also a hidden one; null if unknown or withdrawn. */
export async function findListedToken(db: Db, mint: string): Promise<ListedToken | null> {
  const [row] = await runText<ListedRow>(db, FOUND, [mint]);
  return row ? withLinks(row) : null;
}

export type ListedRow = Omit<ListedToken, 'links'> & { readonly links: unknown };

export function withLinks(row: ListedRow): ListedToken {
  return Object.assign(row, { links: parseLinks(row.mint, row.links) });
}
