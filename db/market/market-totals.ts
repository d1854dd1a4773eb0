/** Kept by triggers. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

export const MARKET_TOTALS = `(
    select quote_mint, mode, status, tokens, market_cap_usd, volume24h_usd, liquidity_usd from token_market_totals
    union all
    select quote_mint, mode, status, tokens, market_cap_usd, volume24h_usd, liquidity_usd from token_market_changes
  )`;

export interface MarketTotals {
  readonly tokens: number;
  readonly rewardTokens: number;
  readonly graduatedTokens: number;
  readonly aboutToGraduateTokens: number;
  /** As far as prices are known. */
  readonly marketCapUsd: string;
  readonly volume24hUsd: string;
  readonly liquidityUsd: string;
}

export async function marketTotals(db: Db): Promise<MarketTotals> {
  const { rows } = await sql<MarketTotals>`
    select ${tokens()} as tokens, ${tokens(`mode = 'reward'`)} as reward_tokens,
      ${tokens(`status = 'graduated'`)} as graduated_tokens,
      ${tokens(`status = 'aboutToGraduate'`)} as about_to_graduate_tokens,
      ${exactSum('market_cap_usd')} as market_cap_usd, ${exactSum('volume24h_usd')} as volume24h_usd,
      ${exactSum('liquidity_usd')} as liquidity_usd
    from ${sql.raw(MARKET_TOTALS)} as m`.execute(db);
  const [totals] = rows;
  if (!totals) throw new Error('the sums of all markets have no row');
  return totals;
}

function tokens(which = 'true') {
  return sql`coalesce(sum(tokens) filter (where ${sql.raw(which)}), 0)::integer`;
}

function exactSum(column: string) {
  return sql`trim_scale(coalesce(sum(${sql.ref(column)}), 0))::text`;
}
