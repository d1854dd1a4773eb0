/** Inserted with its token. */

import { type RawBuilder, type Selectable, sql } from 'kysely';
import { TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { PoolOpening } from '../../domain/launch/terms.ts';
import type { Db } from '../connect.ts';
import type { GraduationStatus } from '../../domain/market/graduation.ts';
import type { TokenMarketTable } from '../schema/market.ts';
import { type FiguresNote, notingFigures } from './pool-cursors.ts';

/** Exact decimals. */
export type TokenMarketRecord = Selectable<TokenMarketTable>;

/** Null without a price. */
export interface MarketUpdate {
  readonly mint: string;
  readonly status: GraduationStatus;
  /** Whole quote tokens per whole token. */
  readonly priceQuote: string | null;
  readonly priceUsd: string | null;
  readonly marketCapUsd: string | null;
  /** Ignored below the stored mark. */
  readonly highWaterMarketCapUsd: string | null;
  readonly volume24hUsd: string;
  /** Both vaults. */
  readonly liquidityUsd: string | null;
  /** Percent, at most 4 fraction digits. */
  readonly priceChange24hPercent: string | null;
  readonly lastSlot: bigint;
}

export async function byMint(db: Db, mint: string): Promise<TokenMarketRecord | null> {
  return (await db.selectFrom('tokenMarkets').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

/**
 * Saves all figures or none. The high water mark only rises, a graduated token stays graduated, older slots are
 * ignored.
 */
export async function save(db: Db, updates: readonly MarketUpdate[]): Promise<void> {
  if (updates.length > 0) await saving(updates).execute(db);
}

export async function saveNoted(
  db: Db,
  updates: readonly MarketUpdate[],
  notes: readonly FiguresNote[],
): Promise<void> {
  if (updates.length === 0) return;
  // Cursors before markets, by pool: this prevents deadlocks.
  const pools = notes.map(({ pool }) => pool);
  const locked = sql`locked as materialized (
    select pool from pool_cursors where pool = any(${pools}::text[]) order by pool for update
  )`;
  const noted = sql`noted as (${notingFigures(notes)} and cursor.pool in (select pool from locked) returning 1)`;
  await sql`with ${locked}, ${noted} ${saving(updates)} and (select count(*) from noted) >= 0`.execute(db);
}

function saving(updates: readonly MarketUpdate[]): RawBuilder<unknown> {
  const column = <Key extends keyof MarketUpdate>(key: Key) => updates.map((update) => update[key]);
  return sql`
    update token_markets as market set
      status = case when market.status = 'graduated' then market.status else given.status end,
      price_quote = given.price_quote, price_usd = given.price_usd, market_cap_usd = given.market_cap_usd,
      high_water_market_cap_usd = given.high_water, volume24h_usd = given.volume, liquidity_usd = given.liquidity,
      price_change24h_percent = given.change, last_slot = given.slot, updated_at = now()
    from unnest(${column('mint')}::text[], ${column('status')}::text[], ${column('priceQuote')}::numeric[],
      ${column('priceUsd')}::numeric[], ${column('marketCapUsd')}::numeric[], ${column('highWaterMarketCapUsd')}::numeric[],
      ${column('volume24hUsd')}::numeric[], ${column('liquidityUsd')}::numeric[],
      ${column('priceChange24hPercent')}::numeric[], ${column('lastSlot')}::bigint[]) as given
      (mint, status, price_quote, price_usd, market_cap_usd, high_water, volume, liquidity, change, slot)
    where market.mint = given.mint and (market.last_slot is null or market.last_slot <= given.slot)`;
}

/** Saves the opening figures; ignored if the token has figures. */
export async function open(
  db: Db,
  mint: string,
  { marketCapUsd, quotePriceUsd }: PoolOpening,
  slot: bigint,
): Promise<void> {
  const supply = sql`${TOTAL_SUPPLY_RAW / 10n ** BigInt(TOKEN_DECIMALS)}::numeric`;
  const priceUsd = sql<string>`${marketCapUsd}::numeric / ${supply}`;
  await db
    .updateTable('tokenMarkets')
    .set({
      priceUsd,
      priceQuote: sql<string>`${priceUsd} / ${quotePriceUsd}::numeric`,
      marketCapUsd,
      highWaterMarketCapUsd: marketCapUsd,
      lastSlot: slot,
    })
    .where('mint', '=', mint)
    .where('lastSlot', 'is', null)
    .execute();
}
