/** Cursors of the market index. A row comes with its token, by trigger. */

import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { GraduationStatus, PoolCursorTable } from '../schema/market.ts';
import { OPENING_PRICES } from './opening-price.ts';
import { hasMoved, presentPrices, type QuotePrice } from './reprice.ts';

/** How far the index of a pool has come. */
export type PoolCursor = Selectable<PoolCursorTable>;

/** A pool with what is needed to read its transactions. */
export interface IndexedPool extends PoolCursor {
  readonly quoteMint: string;
  readonly creator: string;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly status: GraduationStatus;
  /** Whole quote tokens per whole token, as the figures have it. */
  readonly priceQuote: string | null;
  /** USD price per whole token at which the pool opened; null for a token that was not launched here. */
  readonly openingPriceUsd: string | null;
}

/** What the figures of a pool were computed with. */
export interface FiguresNote {
  readonly pool: string;
  readonly quoteUsd: string | null;
  /** The version of the swaps that they were computed of; where others were written meanwhile, they are due. */
  readonly version: bigint;
  /** When they change by the passing of time alone; null when they do not. */
  readonly dueAt: Date | null;
  /** Slot at which the amounts were read. */
  readonly stateSlot: bigint;
  /** Raw units. */
  readonly supplyRaw: bigint;
  readonly baseVaultRaw: bigint;
  readonly quoteVaultRaw: bigint;
  /** USD per whole token that the change of the day is measured against; null where unknown. */
  readonly priceUsdBefore: string | null;
}

/** A pool account that was read. */
export interface PoolSighting {
  readonly pool: string;
  /** Hash of the account; null when it does not exist. */
  readonly hash: string | null;
}

/** How many pools wait for something. */
export interface CursorTotals {
  /** Oldest slot at which a change was seen that is not settled; null where all are. */
  readonly oldestChange: bigint | null;
  readonly changed: number;
  readonly gaps: number;
}

/** Pools whose finalized history does not cover the last change yet, of all or of these. */
export function changed(db: Db, pools?: readonly string[]): Promise<IndexedPool[]> {
  return indexed(db, pools, true);
}

/** Pools by address, whether they changed or not. */
export function byPools(db: Db, pools: readonly string[]): Promise<IndexedPool[]> {
  return indexed(db, pools, false);
}

/** Nobody traded for so long in a pool that is quiet. */
const QUIET_SINCE = sql<Date>`now() - interval '1 hour'`;

/** The pools that were launched or traded lately, with what was last seen of each. */
export function lively(db: Db): Promise<PoolSighting[]> {
  const rows = db.selectFrom('poolCursors').select(['pool', 'seen as hash']).where('updatedAt', '>', QUIET_SINCE);
  return rows.orderBy('pool').execute();
}

/** The next of the other pools by address, with what was last seen of each. */
export function quiet(db: Db, after: string, limit: number): Promise<PoolSighting[]> {
  const rows = db.selectFrom('poolCursors').select(['pool', 'seen as hash']).where('pool', '>', after);
  return rows.where('updatedAt', '<=', QUIET_SINCE).orderBy('pool').limit(limit).execute();
}

/** These pools with what was last seen of each. */
export function sightings(db: Db, pools: readonly string[]): Promise<PoolSighting[]> {
  const rows = db.selectFrom('poolCursors').select(['pool', 'seen as hash']);
  return rows.where(sql<boolean>`pool = any(${pools}::text[])`).execute();
}

/** Notes pool accounts that look different than before. Answers their pools. */
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

/** Notes another hash of pool accounts that look as before: whoever noted the one of before has seen it. */
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

/** The pool of a token; null when there is no such token. */
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

/** Keeps the vaults of a pool, so that they are read only once. */
export async function noteVaults(db: Db, pool: string, baseVault: string, quoteVault: string): Promise<void> {
  await db.updateTable('poolCursors').set({ baseVault, quoteVault }).where('pool', '=', pool).execute();
}

/** Notes why the finalized history does not add up; null when it does. */
export async function noteGap(db: Db, pool: string, gap: string | null): Promise<void> {
  const gapSince = gap === null ? null : sql<Date>`coalesce(gap_since, now())`;
  await db
    .updateTable('poolCursors')
    .set({ gap, gapSince })
    .where('pool', '=', pool)
    .where('gap', 'is distinct from', gap)
    .execute();
}

/** A statement that notes what figures were computed with, but for those of an older slot than is known; a condition may follow. */
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

/**
 * Pools whose figures time has changed, or swaps that were written since they were computed, or the price of their quote token where
 * what is stored of them is too old to tell (see reprice.ts); at most so many.
 */
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

/** Tells that nothing is left of a pool that a fork took, once no fork can bring it back. */
export async function noteVanished(db: Db, pool: string, finalizedSlot: bigint): Promise<void> {
  await db
    .updateTable('poolCursors')
    .set({ changedSlot: null, gap: null, gapSince: null })
    .where('pool', '=', pool)
    .where('changedSlot', '<=', finalizedSlot)
    .where('seen', 'is', null)
    .execute();
}

/** Quote tokens of all indexed pools. */
export async function quoteMints(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('pairs').select('mint').where(hasToken).orderBy('mint').execute();
  return rows.map(({ mint }) => mint);
}

const hasToken = sql<boolean>`exists (select from tokens where tokens.quote_mint = pairs.mint)`;

/** The pools that traded or were launched last. */
export async function recent(db: Db, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('poolCursors').select('pool').orderBy('updatedAt', 'desc').limit(limit).execute();
  return rows.map(({ pool }) => pool);
}

/** How many pools wait for something, and since which slot. */
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
