/** Inserted with its token by a trigger. */

import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { GraduationStatus } from '../../domain/market/graduation.ts';
import type { PoolCursorTable } from '../schema/market.ts';
import { OPENING_PRICES } from './opening-price.ts';
import { hasMoved, presentPrices, type QuotePrice } from './reprice.ts';

export type PoolCursor = Selectable<PoolCursorTable>;

export interface IndexedPool extends PoolCursor {
  readonly quoteMint: string;
  readonly creator: string;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly status: GraduationStatus;
  /** Whole quote tokens per whole token. */
  readonly priceQuote: string | null;
  /** Null for a token launched elsewhere. */
  readonly openingPriceUsd: string | null;
}

export interface FiguresNote {
  readonly pool: string;
  readonly quoteUsd: string | null;
  /** A newer one makes the figures due. */
  readonly version: bigint;
  /** When time alone changes them. */
  readonly dueAt: Date | null;
  readonly stateSlot: bigint;
  /** Raw units. */
  readonly supplyRaw: bigint;
  readonly baseVaultRaw: bigint;
  readonly quoteVaultRaw: bigint;
  /** 24 hours ago; null if unknown. */
  readonly priceUsdBefore: string | null;
}

export interface PoolSighting {
  readonly pool: string;
  /** Null without an account. */
  readonly hash: string | null;
}

export interface CursorTotals {
  /** Null if all is settled. */
  readonly oldestChange: bigint | null;
  readonly changed: number;
  readonly gaps: number;
}

export function changed(db: Db, pools?: readonly string[]): Promise<IndexedPool[]> {
  return indexed(db, pools, true);
}

export function byPools(db: Db, pools: readonly string[]): Promise<IndexedPool[]> {
  return indexed(db, pools, false);
}

/** Time of the last trade before which a pool is quiet. */
const QUIET_SINCE = sql<Date>`now() - interval '1 hour'`;

export function active(db: Db): Promise<PoolSighting[]> {
  const rows = db.selectFrom('poolCursors').select(['pool', 'seen as hash']).where('updatedAt', '>', QUIET_SINCE);
  return rows.orderBy('pool').execute();
}

export function quiet(db: Db, after: string, limit: number): Promise<PoolSighting[]> {
  const rows = db.selectFrom('poolCursors').select(['pool', 'seen as hash']).where('pool', '>', after);
  return rows.where('updatedAt', '<=', QUIET_SINCE).orderBy('pool').limit(limit).execute();
}

export function hashes(db: Db, pools: readonly string[]): Promise<PoolSighting[]> {
  const rows = db.selectFrom('poolCursors').select(['pool', 'seen as hash']);
  return rows.where(sql<boolean>`pool = any(${pools}::text[])`).execute();
}

/** Returns the pools that changed. */
export async function noteSeen(db: Db, seen: readonly PoolSighting[], slot: bigint): Promise<string[]> {
  if (seen.length === 0) return [];
  const { rows } = await sql<{ pool: string }>`
    update pool_cursors as cursor
    set seen = given.hash, changed_slot = greatest(cursor.changed_slot, ${slot}::bigint), updated_at = now()
    from unnest(${seen.map(({ pool }) => pool)}::text[], ${seen.map(({ hash }) => hash)}::text[]) as given (pool, hash)
    where cursor.pool = given.pool and cursor.seen is distinct from given.hash
    returning cursor.pool`.execute(db);
  return rows.map(({ pool }) => pool);
}

/** Readers that saw the old hash have seen the new one. */
export async function renewSeen(db: Db, seen: readonly PoolSighting[]): Promise<void> {
  if (seen.length === 0) return;
  await sql`
    update pool_cursors as cursor
    set seen = given.hash,
      fees_seen = case when cursor.fees_seen = cursor.seen then given.hash else cursor.fees_seen end,
      rewards_seen = case when cursor.rewards_seen = cursor.seen then given.hash else cursor.rewards_seen end
    from unnest(${seen.map(({ pool }) => pool)}::text[], ${seen.map(({ hash }) => hash)}::text[]) as given (pool, hash)
    where cursor.pool = given.pool`.execute(db);
}

function indexed(db: Db, pools: readonly string[] | undefined, onlyChanged: boolean): Promise<IndexedPool[]> {
  return withTokens(db)
    .$if(onlyChanged, (query) => query.where('poolCursors.changedSlot', 'is not', null))
    .$if(pools !== undefined, (query) => query.where(sql<boolean>`pool_cursors.pool = any(${pools}::text[])`))
    .orderBy('poolCursors.pool')
    .execute();
}

export async function byMint(db: Db, mint: string): Promise<IndexedPool | null> {
  return (await withTokens(db).where('poolCursors.mint', '=', mint).executeTakeFirst()) ?? null;
}

function withTokens(db: Db) {
  return db
    .selectFrom('poolCursors')
    .innerJoin('tokens', 'tokens.mint', 'poolCursors.mint')
    .innerJoin('pairs', 'pairs.mint', 'tokens.quoteMint')
    .innerJoin('tokenMarkets', 'tokenMarkets.mint', 'poolCursors.mint')
    .leftJoin('launches', 'launches.quoteId', 'tokens.quoteId')
    .selectAll('poolCursors')
    .select([
      'tokens.quoteMint',
      'tokens.creator',
      'tokenMarkets.status',
      'tokenMarkets.priceQuote',
      'tokens.decimals as baseDecimals',
      'pairs.decimals as quoteDecimals',
    ])
    .select(OPENING_PRICES.usd.as('openingPriceUsd'));
}

export async function noteVaults(db: Db, pool: string, baseVault: string, quoteVault: string): Promise<void> {
  await db.updateTable('poolCursors').set({ baseVault, quoteVault }).where('pool', '=', pool).execute();
}

/** Null clears the gap. */
export async function noteGap(db: Db, pool: string, gap: string | null): Promise<void> {
  const gapSince = gap === null ? null : sql<Date>`coalesce(gap_since, now())`;
  await db
    .updateTable('poolCursors')
    .set({ gap, gapSince })
    .where('pool', '=', pool)
    .where('gap', 'is distinct from', gap)
    .execute();
}

/**
 * Remains after settling up to `slot`, while later swaps are unsettled: the account need not reveal a swap or its
 * removal by a fork.
 */
export function changeAfter(cursor: RawBuilder<unknown>, slot: RawBuilder<unknown>): RawBuilder<bigint | null> {
  return sql`case when ${cursor}.changed_slot > ${slot} or ${hasSwapsAfter(cursor, slot)} then ${cursor}.changed_slot end`;
}

function hasSwapsAfter(cursor: RawBuilder<unknown>, slot: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from market_swaps as later where later.pool_number = ${cursor}.number and later.slot > ${slot})`;
}

/** Records figures, but not of an older slot; a condition may follow. */
export function notingFigures(notes: readonly FiguresNote[]): RawBuilder<unknown> {
  const column = <Key extends keyof FiguresNote>(key: Key) => notes.map((note) => note[key]);
  return sql`
    update pool_cursors as cursor set figures_quote_usd = given.usd, figures_version = given.version,
      figures_due_at = given.due, state_slot = given.slot, supply_raw = given.supply, base_vault_raw = given.base,
      quote_vault_raw = given.quote, price_usd_before = given.before
    from unnest(${column('pool')}::text[], ${column('quoteUsd')}::numeric[], ${column('version')}::bigint[],
      ${column('dueAt')}::timestamptz[], ${column('stateSlot')}::bigint[], ${column('supplyRaw')}::numeric[],
      ${column('baseVaultRaw')}::numeric[], ${column('quoteVaultRaw')}::numeric[], ${column('priceUsdBefore')}::numeric[])
      as given (pool, usd, version, due, slot, supply, base, quote, before)
    where cursor.pool = given.pool and (cursor.state_slot is null or cursor.state_slot <= given.slot)`;
}

export async function outdated(
  db: Db,
  now: Date,
  prices: readonly QuotePrice[],
  limit: number,
): Promise<IndexedPool[]> {
  const { rows } = await sql<{ pool: string }>`
    select cursor.pool from pool_cursors as cursor
    join token_markets as market on market.mint = cursor.mint
    join tokens on tokens.mint = cursor.mint
    left join ${presentPrices(prices)} on present.mint = market.quote_mint
    where cursor.base_vault is not null and tokens.withdrawn_at is null and (cursor.figures_due_at <= ${now}
      or cursor.figures_version <> cursor.swaps_version
      or (cursor.state_slot is distinct from market.last_slot and ${hasMoved}))
    order by cursor.figures_version = cursor.swaps_version, cursor.figures_due_at nulls last, cursor.updated_at desc limit ${limit}`.execute(
    db,
  );
  return rows.length === 0
    ? []
    : indexed(
        db,
        rows.map(({ pool }) => pool),
        false,
      );
}

export async function noteVanished(db: Db, pool: string, finalizedSlot: bigint): Promise<void> {
  await db
    .updateTable('poolCursors')
    .set({ changedSlot: null, gap: null, gapSince: null })
    .where('pool', '=', pool)
    .where('changedSlot', '<=', finalizedSlot)
    .where('seen', 'is', null)
    .where(sql<boolean>`not ${hasSwapsAfter(sql`pool_cursors`, sql`pool_cursors.finalized_slot`)}`)
    .execute();
}

export async function quoteMints(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('pairs').select('mint').where(hasToken).orderBy('mint').execute();
  return rows.map(({ mint }) => mint);
}

const hasToken = sql<boolean>`exists (select from tokens where tokens.quote_mint = pairs.mint)`;

/** Lists pools by last trade or launch. */
export async function recent(db: Db, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('poolCursors').select('pool').orderBy('updatedAt', 'desc').limit(limit).execute();
  return rows.map(({ pool }) => pool);
}

export async function totals(db: Db): Promise<CursorTotals> {
  const { oldestChange, changed, gaps } = await db
    .selectFrom('poolCursors')
    .where('changedSlot', 'is not', null)
    .select((eb) => [
      eb.fn.min('changedSlot').as('oldestChange'),
      eb.fn.countAll<bigint>().as('changed'),
      eb.fn.count<bigint>('gap').as('gaps'),
    ])
    .executeTakeFirstOrThrow();
  return { oldestChange, changed: Number(changed), gaps: Number(gaps) };
}
