import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import type { LaunchTotals } from '../../../db/launch/launch-totals.ts';
import type { MarketTotals } from '../../../db/market/market-totals.ts';

/** The kept totals counted over the tables themselves, with nothing of what keeps them. */
export async function countTotals(db: Db, now: Date): Promise<MarketTotals & LaunchTotals> {
  const markets = await sql<MarketTotals>`
    select count(*)::integer as tokens, count(*) filter (where mode = 'reward')::integer as reward_tokens,
      count(*) filter (where status = 'graduated')::integer as graduated_tokens,
      count(*) filter (where status = 'aboutToGraduate')::integer as about_to_graduate_tokens,
      trim_scale(coalesce(sum(market_cap_usd), 0))::text as market_cap_usd,
      trim_scale(coalesce(sum(volume24h_usd), 0))::text as volume24h_usd,
      trim_scale(coalesce(sum(liquidity_usd), 0))::text as liquidity_usd
    from token_markets where listed`.execute(db);
  const launches = await sql<LaunchTotals>`
    select count(*)::integer as launches, count(distinct launches.creator)::integer as creators,
      count(*) filter (where launches.launched_at >= ${now}::timestamptz - interval '24 hours')::integer as launches_last24h
    from launches join tokens using (quote_id)
    where state in ('completed', 'finalized') and tokens.withdrawn_at is null`.execute(db);
  return { ...markets.rows[0]!, ...launches.rows[0]! };
}

/** What was paid for the platform token in whole USD times 10 ^ decimals of the quote tokens, counted over the rounds. */
export async function countBuybacks(db: Db): Promise<string> {
  const { rows } = await sql<{ spent: string }>`
    select trim_scale(coalesce(sum(spent_raw * quote_usd / power(10::numeric, pairs.decimals)), 0))::text as spent
    from buyback_rounds join pairs on pairs.mint = quote_mint where kind = 'buyback' and state <> 'planned'`.execute(
    db,
  );
  return rows[0]!.spent;
}
