import { type RawBuilder, sql } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import { changeAfter } from './pool-cursors.ts';
import { givenSwaps, insertSwaps, type NewSwap, type SettledSpan, withdrawUnsettled } from './swaps.ts';

export async function followedSlot(db: Db): Promise<number | null> {
  const row = await db.selectFrom('marketStream').select('followedSlot').executeTakeFirst();
  return row ? Number(row.followedSlot) : null;
}

/** Records the followed slot; never moves back. */
export async function noteFollowed(db: Db, slot: number): Promise<void> {
  await insertFollowed(sql`values (${slot}::bigint)`).execute(db);
}

function insertFollowed(slots: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into market_stream (followed_slot) ${slots}
    on conflict (is_only) do update set followed_slot = greatest(market_stream.followed_slot, excluded.followed_slot),
      updated_at = now()`;
}

/** The slot is wrong: all pools must be compared. */
export async function forgetFollowed(db: Db): Promise<void> {
  await db.deleteFrom('marketStream').execute();
}

export interface StreamedPool {
  readonly pool: string;
  readonly mint: string;
  /** Base58. */
  readonly baseVault: string;
  /** Reward coins' transfers all name the mint. */
  readonly isReward: boolean;
}

export function pools(db: Db, after: string, limit: number): Promise<StreamedPool[]> {
  return streamed(db).where('poolCursors.pool', '>', after).orderBy('poolCursors.pool').limit(limit).execute();
}

export function poolsOf(db: Db, addresses: readonly string[]): Promise<StreamedPool[]> {
  return streamed(db).where('poolCursors.pool', 'in', addresses).execute();
}

function streamed(db: Db) {
  return db
    .selectFrom('poolCursors')
    .innerJoin('tokens', 'tokens.mint', 'poolCursors.mint')
    .select(['poolCursors.pool', 'poolCursors.mint', 'poolCursors.baseVault'])
    .select(sql<boolean>`tokens.mode = 'reward'`.as('isReward'))
    .where('poolCursors.baseVault', 'is not', null)
    .$narrowType<{ baseVault: string }>();
}

export interface StoredStand {
  readonly pool: string;
  /** At the cursor. */
  readonly baseRaw: bigint;
  /** Hash of the account. */
  readonly seen: string | null;
}

export function stands(db: Db): Promise<StoredStand[]> {
  return db.selectFrom('poolCursors').select(['pool', 'baseRaw', 'seen']).where('baseVault', 'is not', null).execute();
}

/** Lists pools whose vault was never read. */
export async function unread(db: Db, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('poolCursors').select('pool').where('baseVault', 'is', null).limit(limit).execute();
  return rows.map(({ pool }) => pool);
}

export interface OpenPool {
  readonly pool: string;
  /** A stream after the given slot no longer reports the change. */
  readonly isOverdue: boolean;
}

export async function unsettled(db: Db, followedSlot: number): Promise<OpenPool[]> {
  const { rows } = await sql<OpenPool>`
    select pool, gap is not null or coalesce(changed_slot <= ${followedSlot}, false) as is_overdue from pool_cursors as cursor
    left join lateral (
      select slot from market_swaps where cursor.changed_slot is null and cursor.updated_at > now() - interval '1 day'
        and pool_number = cursor.number and slot > cursor.finalized_slot limit 1
    ) as later on true
    where base_vault is not null and (changed_slot is not null or later.slot is not null)`.execute(db);
  return rows;
}

export interface PoolChange {
  readonly pool: string;
  readonly slot: number;
  /** Null if not reported. */
  readonly seen: string | null;
}

export interface StoredTail {
  readonly pool: string;
  /** After the write. */
  readonly swapsVersion: bigint;
  /** `added`: new ones. */
  readonly written: number;
  readonly added: number;
}

export interface StoredTails {
  readonly pools: readonly StoredTail[];
  /** Never-read pools exist; null if not asked. */
  readonly hasUnread: boolean | null;
}

/**
 * Stores provisional swaps in one statement; makes figures due. Skips swaps at or before a cursor, and of pools
 * without a change.
 */
export async function storeTails(
  db: Db,
  changes: readonly PoolChange[],
  swaps: readonly NewSwap[],
): Promise<StoredTails> {
  if (changes.length === 0) return { pools: [], hasUnread: null };
  const { rows } = await sql<StoredTail & { hasUnread: boolean }>`
    with given as (
      select * from unnest(${changes.map(({ pool }) => pool)}::text[], ${changes.map(({ slot }) => slot)}::bigint[],
        ${changes.map(({ seen }) => seen)}::text[]) as given (pool, slot, seen)
    ), locked as materialized (
      select cursor.pool from pool_cursors as cursor join given using (pool) order by cursor.pool for update of cursor
    ), moved as (
      update pool_cursors as cursor set seen = coalesce(given.seen, cursor.seen),
        changed_slot = case when given.slot > cursor.finalized_slot then greatest(cursor.changed_slot, given.slot)
          else cursor.changed_slot end,
        swaps_version = cursor.swaps_version + (cursor.pool = any(${[...new Set(swaps.map(({ pool }) => pool))]}::text[]))::int
      from given join locked using (pool) where cursor.pool = given.pool
      returning cursor.pool, cursor.number, cursor.finalized_slot, cursor.swaps_version
    ), open as (
      ${givenSwaps(swaps, sql`moved`)} where swap.slot > cursor.finalized_slot
    ), written as (
      ${insertSwaps(sql`open`, sql`moved`)} returning pool_number
    )
    select moved.pool, moved.swaps_version, coalesce(stored.swaps, 0)::integer as written, coalesce(fresh.swaps, 0)::integer as added,
      exists (select from pool_cursors where base_vault is null) as has_unread
    from moved left join (select pool_number, count(*) as swaps from written group by 1) as stored on pool_number = moved.number
    left join (select number, count(*) as swaps from open where stored_month is null group by 1) as fresh
      on fresh.number = moved.number`.execute(db);
  return {
    pools: rows.map(({ pool, swapsVersion, written, added }) => ({ pool, swapsVersion, written, added })),
    hasUnread: rows[0]?.hasUnread ?? null,
  };
}

export interface SettledPools {
  /** Another writer moved the others first. */
  readonly pools: ReadonlySet<string>;
  readonly stored: number;
}

/**
 * Settles spans like `swaps.settle`, with two statements for all pools. Figures become due if they may include removed
 * swaps or miss a change. Records `followedSlot` if something settled.
 */
export function settleAll(
  db: Db,
  spans: readonly SettledSpan[],
  followedSlot: number | null = null,
): Promise<SettledPools> {
  if (spans.length === 0) return Promise.resolve({ pools: new Set(), stored: 0 });
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ pool: string; number: number }>`
      select cursor.pool, cursor.number from pool_cursors as cursor
      join unnest(${spans.map(({ pool }) => pool)}::text[], ${spans.map(({ fromSlot }) => fromSlot)}::bigint[])
        as given (pool, slot) on given.pool = cursor.pool and given.slot = cursor.finalized_slot
      order by cursor.pool for update of cursor`.execute(tx);
    const numbers = new Map(rows.map(({ pool, number }) => [pool, number]));
    const pools = new Set(numbers.keys());
    const open = spans.flatMap((span) => {
      const number = numbers.get(span.pool);
      return number === undefined ? [] : [{ ...span, number }];
    });
    if (open.length === 0) return { pools, stored: 0 };
    const swaps = open.flatMap((span) => span.swaps);
    const settled = await sql<{ stored: bigint }>`
      with given as (
        select * from unnest(${open.map(({ pool }) => pool)}::text[], ${open.map(({ mint }) => mint)}::text[],
          ${open.map(({ untilSlot }) => untilSlot)}::bigint[], ${open.map(({ baseRaw }) => baseRaw)}::numeric[],
          ${open.map(({ quoteRaw }) => quoteRaw)}::numeric[],
          ${open.map(({ highestCapUsd }) => highestCapUsd)}::numeric[], ${open.map((span) => span.swaps.length > 0)}::boolean[])
          as given (pool, mint, slot, base_raw, quote_raw, cap, traded)
      ), final as (
        ${givenSwaps(swaps, sql`pool_cursors`)}
      ), written as (
        ${insertSwaps(sql`final`, sql`pool_cursors`)} returning pool_number
      ), gone as (
        ${withdrawUnsettled(open, sql`final`)} returning swap.pool_number
      ), raised as (
        update token_markets as market set high_water_market_cap_usd = given.cap from given
        where market.mint = given.mint and given.cap > coalesce(market.high_water_market_cap_usd, -1)
      ), followed as (
        ${insertFollowed(sql`select ${followedSlot}::bigint where ${followedSlot}::bigint is not null`)}
      ), moved as (
        update pool_cursors as cursor set finalized_slot = given.slot, base_raw = given.base_raw, quote_raw = given.quote_raw,
          gap = null, gap_since = null,
          changed_slot = ${changeAfter(sql`cursor`, sql`given.slot`)},
          updated_at = case when given.traded then now() else cursor.updated_at end,
          swaps_version = cursor.swaps_version + (cursor.number in (select pool_number from written union select pool_number from gone)
            or not given.traded and coalesce(cursor.changed_slot <= given.slot, false))::int
        from given where cursor.pool = given.pool
      )
      select count(*) as stored from written`.execute(tx);
    return { pools, stored: Number(settled.rows[0]?.stored ?? 0n) };
  });
}
