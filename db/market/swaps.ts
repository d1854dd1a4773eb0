/** Swaps of launched tokens. Rows that are finalized never change again. */

import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import type { Database } from '../schema/database.ts';
import type { SwapTable } from '../schema/market.ts';

/** A stored swap. */
export type SwapRecord = Selectable<SwapTable>;

/** A swap to store, priced. */
export type NewSwap = Omit<SwapRecord, 'finalized'>;

/** What happened in a swap, by which others may know it again. */
export type SwapFacts = Pick<
  SwapRecord,
  'signature' | 'index' | 'slot' | 'blockTime' | 'side' | 'baseRaw' | 'quoteRaw' | 'priceQuote'
>;

/** A part of a pool's history that no fork can change, with the swaps in it. */
export interface SettledSpan {
  readonly pool: string;
  readonly mint: string;
  /** Where the cursor stood when this was read. */
  readonly fromSlot: bigint;
  /** Every transaction of the pool up to this slot is known. */
  readonly untilSlot: bigint;
  /** The base vault's balance after that slot, raw units. */
  readonly baseRaw: bigint;
  readonly swaps: readonly NewSwap[];
  /** The highest market cap that any of the swaps reached, USD; null where none has a price. */
  readonly highestCapUsd: string | null;
}

/** What a look stored. */
export interface StoreOutcome {
  readonly stored: number;
  readonly withdrawn: number;
}

/** Sums over the last swaps of a token. */
export interface TradingWindow {
  readonly mint: string;
  /** The version of the swaps that these are sums over. */
  readonly swapsVersion: bigint;
  readonly volumeUsd: string;
  /** USD price after the last swap before the window; null where there was none, or its price is not known. */
  readonly priceUsdBefore: string | null;
  /** True when a swap lies before the window, priced or not. */
  readonly hasEarlier: boolean;
  /** When the oldest swap of the window happened; null where the window is empty. */
  readonly oldestAt: Date | null;
  /** Slot of the newest swap of all; null where there was none. */
  readonly newestSlot: bigint | null;
}

/** Swaps of a pool that a fork can still take back, oldest first. */
export function provisional(db: Db, pool: string): Promise<SwapRecord[]> {
  const rows = db.selectFrom('swaps').selectAll().where('pool', '=', pool).where('finalized', '=', false);
  return rows.orderBy('slot').orderBy('slotOrder').orderBy('index').execute();
}

/** The same of many pools. */
export function provisionalOf(db: Db, pools: readonly string[]): Promise<SwapRecord[]> {
  return db.selectFrom('swaps').selectAll().where('pool', 'in', pools).where('finalized', '=', false).execute();
}

/** All stored swaps of a pool up to a slot, oldest first. */
export function ofPool(db: Db, pool: string, untilSlot: bigint): Promise<SwapRecord[]> {
  return db
    .selectFrom('swaps')
    .innerJoin('poolCursors', 'poolCursors.mint', 'swaps.mint')
    .selectAll('swaps')
    .where('poolCursors.pool', '=', pool)
    .where('swaps.slot', '<=', untilSlot)
    .orderBy('slot')
    .orderBy('slotOrder')
    .orderBy('index')
    .execute();
}

/**
 * Stores swaps that a fork can still take back and withdraws the ones it took. What lies at or before the cursor is left
 * alone: that is settled.
 */
export function storeProvisional(
  db: Db,
  pool: string,
  swaps: readonly NewSwap[],
  withdrawn: readonly string[],
): Promise<StoreOutcome> {
  return transaction(db, async (tx) => {
    const settled = await lockCursor(tx, pool);
    const open = swaps.filter(({ slot }) => slot > settled);
    const stored = await writeSwaps(tx, open, false);
    if (withdrawn.length === 0) return { stored, withdrawn: 0 };
    const gone = await tx
      .deleteFrom('swaps')
      .where('pool', '=', pool)
      .where('signature', 'in', withdrawn)
      .where('finalized', '=', false)
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n) await raiseVersion(tx, pool);
    return { stored, withdrawn: Number(gone.numDeletedRows) };
  });
}

/** Says that swaps of a pool are other ones now: its figures are due, whatever becomes of the process that was to compute them anew. */
export async function raiseVersion(tx: Transaction<Database>, pool: string): Promise<void> {
  const swapsVersion = sql<bigint>`swaps_version + 1`;
  await tx.updateTable('poolCursors').set({ swapsVersion }).where('pool', '=', pool).execute();
}

/** The cursor's row is the lock: whoever stores swaps of a pool does it alone. */
async function lockCursor(tx: Transaction<Database>, pool: string): Promise<bigint> {
  const row = await tx
    .selectFrom('poolCursors')
    .select('finalizedSlot')
    .where('pool', '=', pool)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.finalizedSlot;
}

/**
 * Stores what is final, removes provisional swaps of these slots that did not stay, raises the high water mark and moves
 * the cursor, in one database transaction. Null when somebody else moved the cursor meanwhile: then nothing is written.
 */
export function settle(db: Db, span: SettledSpan): Promise<StoreOutcome | null> {
  const { pool, fromSlot, untilSlot, swaps, highestCapUsd } = span;
  return transaction(db, async (tx) => {
    if ((await lockCursor(tx, pool)) !== fromSlot) return null;
    const stored = await writeSwaps(tx, swaps, true);
    const gone = await tx
      .deleteFrom('swaps')
      .where('pool', '=', pool)
      .where('slot', '<=', untilSlot)
      .where('finalized', '=', false)
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n) await raiseVersion(tx, pool);
    if (highestCapUsd !== null) await raiseHighWater(tx, span.mint, highestCapUsd);
    await moveCursor(tx, span);
    return { stored, withdrawn: Number(gone.numDeletedRows) };
  });
}

async function moveCursor(tx: Transaction<Database>, { pool, untilSlot, baseRaw, swaps }: SettledSpan) {
  await tx
    .updateTable('poolCursors')
    .set({
      finalizedSlot: untilSlot,
      baseRaw,
      gap: null,
      gapSince: null,
      changedSlot: sql`case when changed_slot > ${untilSlot} then changed_slot end`,
      // What changed without a swap that stayed may be in the figures, or missing there.
      ...(swaps.length > 0
        ? { updatedAt: sql`now()` }
        : { swapsVersion: sql`swaps_version + coalesce(changed_slot <= ${untilSlot}, false)::int` }),
    })
    .where('pool', '=', pool)
    .execute();
}

/** Only final swaps move it, so that no fork can leave a token graduated that never touched the cap. */
async function raiseHighWater(tx: Transaction<Database>, mint: string, capUsd: string): Promise<void> {
  await tx
    .updateTable('tokenMarkets')
    .set({ highWaterMarketCapUsd: sql`greatest(high_water_market_cap_usd, ${capUsd}::numeric)` })
    .where('mint', '=', mint)
    .execute();
}

/**
 * Inserts swaps or brings them up to date, unless they are final, under the locks of their pools' cursors. Answers how many rows were
 * written. Figures are due of pools of which one is new, or not what it was.
 */
export async function writeSwaps(
  tx: Transaction<Database>,
  swaps: readonly NewSwap[],
  finalized: boolean,
): Promise<number> {
  if (swaps.length === 0) return 0;
  const { rows } = await sql<{ written: bigint }>`
    with given as materialized (
      select swap.* from ${tableOfSwaps(swaps)}
    ), different as (
      select distinct given.pool from given left join swaps as known using (signature, pool, index)
      where known.mint is null or not known.finalized
        and (known.slot, known.slot_order, known.block_time, known.price_usd, known.value_usd) is distinct from
          (given.slot, given.slot_order, given.block_time, given.price_usd::numeric(60, 30), given.value_usd::numeric(40, 10))
    ), raised as (
      update pool_cursors as cursor set swaps_version = cursor.swaps_version + 1 from different where cursor.pool = different.pool
    ), written as (
      ${insertSwaps(sql`select given.*, ${finalized}::boolean from given`)} returning 1
    )
    select count(*) as written from written`.execute(tx);
  return Number(rows[0]?.written ?? 0n);
}

/** A table `swap` of these, with the columns in the order in which `insertSwaps` takes them, all but the last. */
export function tableOfSwaps(swaps: readonly NewSwap[]): RawBuilder<unknown> {
  const column = <Key extends keyof NewSwap>(key: Key) => swaps.map((swap) => swap[key]);
  return sql`unnest(${column('signature')}::text[], ${column('pool')}::text[], ${column('index')}::integer[],
    ${column('mint')}::text[], ${column('slot')}::bigint[], ${column('slotOrder')}::integer[],
    ${column('blockTime')}::timestamptz[], ${column('side')}::text[], ${column('wallet')}::text[],
    ${column('baseRaw')}::numeric[], ${column('quoteRaw')}::numeric[], ${column('priceQuote')}::numeric[],
    ${column('supplyRaw')}::numeric[], ${column('quoteUsd')}::numeric[], ${column('priceUsd')}::numeric[],
    ${column('valueUsd')}::numeric[]) as swap (signature, pool, index, mint, slot, slot_order, block_time, side, wallet,
      base_raw, quote_raw, price_quote, supply_raw, quote_usd, price_usd, value_usd)`;
}

/** Inserts what is selected, `finalized` being its last column. A row that is there is brought up to date, unless it is final. */
export function insertSwaps(selected: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into swaps as known (signature, pool, index, mint, slot, slot_order, block_time, side, wallet,
      base_raw, quote_raw, price_quote, supply_raw, quote_usd, price_usd, value_usd, finalized)
    ${selected}
    on conflict (signature, pool, index) do update set slot = excluded.slot, slot_order = excluded.slot_order,
      block_time = excluded.block_time, side = excluded.side, wallet = excluded.wallet, base_raw = excluded.base_raw,
      quote_raw = excluded.quote_raw, price_quote = excluded.price_quote, supply_raw = excluded.supply_raw,
      quote_usd = excluded.quote_usd, price_usd = excluded.price_usd, value_usd = excluded.value_usd,
      finalized = excluded.finalized
    where not known.finalized`;
}

/** The trading window of each token: what happened since a moment. */
export async function windows(db: Db, mints: readonly string[], since: Date): Promise<TradingWindow[]> {
  const { rows } = await sql<TradingWindow>`
    select wanted.mint, cursor.swaps_version, coalesce(recent.volume, 0)::numeric(40, 10) as volume_usd, recent.oldest as oldest_at,
      earlier.price_usd as price_usd_before, earlier.mint is not null as has_earlier, newest.slot as newest_slot
    from unnest(${[...mints]}::text[]) as wanted (mint)
    join pool_cursors as cursor on cursor.mint = wanted.mint
    left join lateral (
      select sum(value_usd) as volume, min(block_time) as oldest from swaps
      where swaps.mint = wanted.mint and block_time > ${since}
    ) as recent on true
    left join lateral (
      select swaps.mint, price_usd from swaps
      where swaps.mint = wanted.mint and block_time <= ${since}
      order by block_time desc, slot desc, slot_order desc, index desc limit 1
    ) as earlier on true
    left join lateral (
      select slot from swaps where swaps.mint = wanted.mint order by slot desc limit 1
    ) as newest on true`.execute(db);
  return rows;
}
