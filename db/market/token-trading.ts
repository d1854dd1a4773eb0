import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connect.ts';
import { OPENING_PRICES } from './opening-price.ts';
import { monthsSince } from './swaps.ts';

const HOUR_MS = 60 * 60 * 1_000;

export interface TradingCount {
  /** End of the windows. */
  readonly now: Date;
  /** Tokens counted since then are left out. */
  readonly before: Date;
  readonly limit: number;
}

/** Returns how many tokens. */
export async function count(db: Db, { now, before, limit }: TradingCount): Promise<number> {
  const since = new Date(now.getTime() - 24 * HOUR_MS);
  const { rows } = await sql<{ mint: string }>`
    with due as materialized (
      select mint, max(counted_at) as counted_at from (${dueTokens(now, before)}) as waiting
      group by mint order by max(counted_at) nulls first limit ${limit}
    )
    insert into token_trading (mint, price_usd_before1h, price_usd_before6h, trades24h, traders24h, counted_at)
    select due.mint, ${priceAgo(now, 1)}, ${priceAgo(now, 6)}, recent.trades, recent.traders, ${now}
    from due join pool_cursors as cursor on cursor.mint = due.mint
    join tokens on tokens.mint = due.mint
    left join launches on launches.quote_id = tokens.quote_id
    cross join lateral (
      select count(*)::integer as trades, count(distinct wallet)::integer as traders from market_swaps
      where pool_number = cursor.number and block_time > ${since} and ${monthsSince(since)}
    ) as recent
    order by due.mint
    on conflict (mint) do update set price_usd_before1h = excluded.price_usd_before1h,
      price_usd_before6h = excluded.price_usd_before6h, trades24h = excluded.trades24h,
      traders24h = excluded.traders24h, counted_at = excluded.counted_at
    returning mint`.execute(db);
  return rows.length;
}

/** `updated_at` is later than the trade's time: an hour more covers a late index. */
function dueTokens(now: Date, before: Date): RawBuilder<unknown> {
  const traded = new Date(now.getTime() - 25 * HOUR_MS);
  return sql`
    select cursor.mint, trading.counted_at from pool_cursors as cursor
    left join token_trading as trading on trading.mint = cursor.mint
    where cursor.updated_at > ${traded} and (trading.counted_at is null or trading.counted_at <= ${before})
    union all
    select mint, counted_at from token_trading where trades24h > 0 and counted_at <= ${before}`;
}

/** USD after the last swap so many hours ago; of a younger token the opening price. */
function priceAgo(now: Date, hours: number): RawBuilder<string | null> {
  const moment = new Date(now.getTime() - hours * HOUR_MS);
  const earlier = sql`select price_usd from swaps where pool_number = cursor.number and block_time <= ${moment}
    order by block_time desc, slot desc, slot_order desc, index desc limit 1`;
  return sql`case when exists (select from market_swaps where pool_number = cursor.number and block_time <= ${moment})
    then (${earlier}) else ${OPENING_PRICES.usd} end`;
}
