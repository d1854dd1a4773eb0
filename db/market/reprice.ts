/** Figures of the market when the price of a quote token moves: computed in the database, of what the chain said last. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Present USD price of a quote token. */
export interface QuotePrice {
  readonly mint: string;
  readonly usd: string;
}

/** A quote token that moved by less than this leaves the figures as they are: a tenth of a percent. */
const QUOTE_MOVE = '0.001';

/** A table of prices to join as `present (mint, usd)`. */
export function presentPrices(prices: readonly QuotePrice[]) {
  return sql`unnest(${prices.map(({ mint }) => mint)}::text[], ${prices.map(({ usd }) => usd)}::numeric[])
    as present (mint, usd)`;
}

/** Whether the figures of `cursor` were computed with another price than `present`, or with one where there is none now. */
export const hasMoved = sql`((cursor.figures_quote_usd is null) <> (present.usd is null)
  or abs(present.usd / cursor.figures_quote_usd - 1) > ${QUOTE_MOVE}::numeric)`;

/** Whether any token waits for its quote token's price of now. */
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

/** What to compute figures with. */
export interface Repricing {
  /** Of every quote token whose price is known; the figures of all others become unknown. */
  readonly prices: readonly QuotePrice[];
  /** Market cap at which a token is about to graduate, USD. */
  readonly aboutToGraduateUsd: string;
  /** Tokens that are changed at once, at most. */
  readonly limit: number;
  /** Mint after which to go on; empty for the first of all. */
  readonly after: string;
}

/** What a statement repriced. */
export interface Repriced {
  readonly tokens: number;
  /** The last mint that waited, to go on after; null after the last of all. */
  readonly next: string | null;
}

/**
 * Computes the figures of tokens anew whose quote token moved, in the order of their mints, as domain/market/figures.ts does. Left
 * out is what the stored amounts are too old for, and what another writer holds at this moment: it never waits for one.
 * What waits is found before anything is locked, and asked once more of each that is: somebody else may have come first.
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
