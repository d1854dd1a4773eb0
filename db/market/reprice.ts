/** When a quote token's price moves. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

export interface QuotePrice {
  readonly mint: string;
  readonly usd: string;
}

/** Least move of a quote price that changes figures: 0.1 %. */
const QUOTE_MOVE = '0.001';

export function presentPrices(prices: readonly QuotePrice[]) {
  return sql`unnest(${prices.map(({ mint }) => mint)}::text[], ${prices.map(({ usd }) => usd)}::numeric[])
    as present (mint, usd)`;
}

/** True if the price moved by more than `QUOTE_MOVE`, or only one of both is known. */
export const hasMoved = sql`((cursor.figures_quote_usd is null) <> (present.usd is null)
  or abs(present.usd / cursor.figures_quote_usd - 1) > ${QUOTE_MOVE}::numeric)`;

export async function isOutdated(db: Db, prices: readonly QuotePrice[]): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (
      select from pool_cursors as cursor
      join token_markets as market on market.mint = cursor.mint and market.last_slot = cursor.state_slot
      left join ${presentPrices(prices)} on present.mint = market.quote_mint
      where ${hasMoved}
    ) as waits`.execute(db);
  return rows[0]?.waits ?? false;
}

export interface Repricing {
  /** All known ones; other figures become unknown. */
  readonly prices: readonly QuotePrice[];
  /** USD. */
  readonly aboutToGraduateUsd: string;
  /** Per statement. */
  readonly limit: number;
  /** To continue after; empty to start. */
  readonly after: string;
}

export interface Repriced {
  readonly tokens: number;
  /** Null at the end. */
  readonly next: string | null;
}

/**
 * Recomputes figures by mint, like domain/market/figures.ts. Skips stale amounts and locked rows: it never waits.
 * Candidates are found without locks and checked again under them.
 */
export async function reprice(db: Db, { prices, aboutToGraduateUsd, limit, after }: Repricing): Promise<Repriced> {
  const { rows } = await sql<{ tokens: bigint; next: string | null }>`
    with page as materialized (
      select cursor.pool, cursor.mint
      from pool_cursors as cursor
      join token_markets as market on market.mint = cursor.mint and market.last_slot = cursor.state_slot
      left join ${presentPrices(prices)} on present.mint = market.quote_mint
      where cursor.mint > ${after} and ${hasMoved}
      order by cursor.mint limit ${limit}
    ), moved as materialized (
      select cursor.pool, cursor.mint, present.usd, round(market.price_quote * present.usd, 30) as price_usd,
        cursor.supply_raw * base_unit as supply, cursor.base_vault_raw * base_unit as base,
        cursor.quote_vault_raw * quote_unit as quote, nullif(cursor.price_usd_before, 0) as before
      from page
      join pool_cursors as cursor on cursor.pool = page.pool
      join token_markets as market on market.mint = cursor.mint and market.last_slot = cursor.state_slot
      join tokens on tokens.mint = cursor.mint
      join pairs on pairs.mint = tokens.quote_mint
      left join ${presentPrices(prices)} on present.mint = tokens.quote_mint
      cross join lateral (select ('1e-' || tokens.decimals)::numeric as base_unit, ('1e-' || pairs.decimals)::numeric as quote_unit) as units
      where ${hasMoved}
      for update of cursor, market skip locked
    ), figures as (
      select moved.*, round(supply * price_usd, 10) as cap from moved
    ), priced as (
      update token_markets as market set price_usd = figures.price_usd, market_cap_usd = cap,
        liquidity_usd = round(base * figures.price_usd, 10) + round(quote * usd, 10),
        price_change24h_percent = round((figures.price_usd / before - 1) * 100, 4),
        status = case when market.status = 'graduated' or cap is null then market.status
          when cap >= ${aboutToGraduateUsd}::numeric then 'aboutToGraduate' else 'new' end,
        updated_at = now()
      from figures where market.mint = figures.mint
    ), noted as (
      update pool_cursors as cursor set figures_quote_usd = moved.usd from moved where cursor.pool = moved.pool returning 1
    )
    select (select count(*) from noted) as tokens, case when count(*) = ${limit} then max(mint) end as next from page`.execute(
    db,
  );
  return { tokens: Number(rows[0]?.tokens ?? 0), next: rows[0]?.next ?? null };
}
