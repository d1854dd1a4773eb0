/** Final up to the cursor: then they never change. */

import { type RawBuilder, sql, type Transaction } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import type { Database } from '../schema/database.ts';
import type { SwapView } from '../schema/market.ts';
import { changeAfter, type PoolCursor } from './pool-cursors.ts';
import { bytesOf, SIGNATURE_BYTES, signedBy, WALLET_BYTES } from './swap-bytes.ts';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';

export type SwapRecord = Omit<SwapView, 'poolNumber' | 'signatureBytes' | 'walletBytes' | 'month'>;

type StoredSwap = Omit<SwapView, 'poolNumber' | 'signature' | 'wallet' | 'month'>;

export type NewSwap = Omit<SwapRecord, 'finalized'>;

export type SwapFacts = Pick<
  SwapRecord,
  'signature' | 'index' | 'slot' | 'blockTime' | 'side' | 'baseRaw' | 'quoteRaw' | 'priceQuote'
>;

export const SWAP_FACTS = sql`swap.signature_bytes, swap.index, swap.slot, swap.block_time, swap.side, swap.base_raw, swap.quote_raw,
  swap.price_quote`;
export type StoredSwapFacts = Omit<SwapFacts, 'signature'> & { readonly signatureBytes: Buffer };

export interface SettledSpan {
  readonly pool: string;
  readonly mint: string;
  /** When the history was read. */
  readonly fromSlot: bigint;
  /** Complete up to here. */
  readonly untilSlot: bigint;
  /** At `untilSlot`. */
  readonly baseRaw: bigint;
  /** At `untilSlot`. */
  readonly quoteRaw: bigint | null;
  readonly swaps: readonly NewSwap[];
  /** By a steady price; null without one. */
  readonly highestCapUsd: SpendableUsd | null;
}

export interface StoreOutcome {
  readonly stored: number;
  readonly withdrawn: number;
}

export interface TradingWindow {
  readonly mint: string;
  readonly swapsVersion: bigint;
  readonly volumeUsd: string;
  /** After the last swap before the window; null if absent or unpriced. */
  readonly priceUsdBefore: string | null;
  /** Priced or not. */
  readonly hasEarlier: boolean;
  readonly oldestAt: Date | null;
  /** Null without swaps. */
  readonly newestSlot: bigint | null;
}

/** The first swaps of a pool behind a slot, oldest first, final or not. */
export async function behindSlot(
  db: Db,
  { number }: Pick<PoolCursor, 'number'>,
  slot: bigint,
  limit: number,
): Promise<SwapRecord[]> {
  const { rows } = await sql<StoredSwap>`
    select ${STORED} from swaps where pool_number = ${number} and slot > ${slot}::bigint
    order by slot, slot_order, index limit ${limit}`.execute(db);
  return rows.map((row) => signedBy(row));
}

/** The newest swap of a pool up to a slot, final or not. */
export function lastUntil(db: Db, { number }: Pick<PoolCursor, 'number'>, slot: bigint) {
  const swaps = db.selectFrom('marketSwaps').select('priceQuote').where('poolNumber', '=', number);
  const newest = swaps.where('slot', '<=', slot);
  return newest.orderBy('slot', 'desc').orderBy('slotOrder', 'desc').orderBy('index', 'desc').executeTakeFirst();
}

/** Oldest first. */
export function provisional(db: Db, pool: string): Promise<SwapRecord[]> {
  return select(db, sql`pool = ${pool} and not finalized`);
}

/** The limit makes the planner search each pool by index; statistics do not show how few are provisional. */
const NO_LIMIT = 1_000_000;

export async function provisionalOf(db: Db, pools: readonly string[]): Promise<SwapRecord[]> {
  const { rows } = await sql<StoredSwap>`
    select open.* from unnest(${pools}::text[]) as given (pool) cross join lateral (
      select ${STORED} from swaps where swaps.pool = given.pool and not finalized
      order by slot, slot_order, index limit ${NO_LIMIT}
    ) as open`.execute(db);
  return rows.map((row) => signedBy(row));
}

/** Oldest first. */
export function ofPool(db: Db, pool: string, untilSlot: bigint): Promise<SwapRecord[]> {
  return select(db, sql`pool = ${pool} and slot <= ${untilSlot}::bigint`);
}

const STORED = sql`signature_bytes, pool, index, mint, slot, slot_order, block_time, side, wallet_bytes, base_raw, quote_raw,
  price_quote, supply_raw, quote_usd, price_usd, value_usd, finalized`;

async function select(db: Db, which: RawBuilder<unknown>): Promise<SwapRecord[]> {
  const { rows } = await sql<StoredSwap>`
    select ${STORED} from swaps where ${which} order by slot, slot_order, index`.execute(db);
  return rows.map((row) => signedBy(row));
}

/** Skips settled slots. */
export function storeProvisional(
  db: Db,
  pool: string,
  swaps: readonly NewSwap[],
  withdrawn: readonly string[],
): Promise<StoreOutcome> {
  return transaction(db, async (tx) => {
    const { number, finalizedSlot: settled } = await lockCursor(tx, pool);
    const stored = await writeSwaps(
      tx,
      swaps.filter(({ slot }) => slot > settled),
    );
    if (withdrawn.length === 0) return { stored, withdrawn: 0 };
    const gone = await tx
      .deleteFrom('marketSwaps')
      .where('poolNumber', '=', number)
      .where('slot', '>', settled)
      .where('signature', 'in', withdrawn.map(signatureBytes))
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n) await raiseVersion(tx, pool);
    return { stored, withdrawn: Number(gone.numDeletedRows) };
  });
}

function signatureBytes(signature: string): Buffer {
  return bytesOf(signature, SIGNATURE_BYTES);
}

/** Raises the version, so that figures become due even if the process that should recompute them dies. */
export async function raiseVersion(tx: Transaction<Database>, pool: string): Promise<void> {
  const swapsVersion = sql<bigint>`swaps_version + 1`;
  await tx.updateTable('poolCursors').set({ swapsVersion }).where('pool', '=', pool).execute();
}

function lockCursor(tx: Transaction<Database>, pool: string) {
  const row = tx.selectFrom('poolCursors').select(['number', 'finalizedSlot']).where('pool', '=', pool);
  return row.forUpdate().executeTakeFirstOrThrow();
}

/**
 * Deletes provisional swaps that did not stay, raises the high water mark, moves the cursor, in one transaction. Null
 * if another writer moved the cursor: nothing is written.
 */
export function settle(db: Db, span: SettledSpan): Promise<StoreOutcome | null> {
  const { pool, fromSlot, swaps, highestCapUsd } = span;
  return transaction(db, async (tx) => {
    const { number, finalizedSlot } = await lockCursor(tx, pool);
    if (finalizedSlot !== fromSlot) return null;
    const stored = await writeSwaps(tx, swaps);
    const { rows: gone } =
      await sql`${withdrawUnsettled([{ ...span, number }], sql`(${givenSwaps(swaps, sql`pool_cursors`)})`)} returning 1`.execute(
        tx,
      );
    if (gone.length > 0) await raiseVersion(tx, pool);
    if (highestCapUsd !== null) await raiseHighWater(tx, span.mint, highestCapUsd);
    await moveCursor(tx, span);
    return { stored, withdrawn: gone.length };
  });
}

type NumberedSpan = Pick<SettledSpan, 'fromSlot' | 'untilSlot'> & { readonly number: number };

/**
 * Deletes swaps of these spans that are not in `stayed` with the same month. Needs the cursors' locks. Goes pool by
 * pool, whatever the statistics say. Uses `tableoid` too: a `ctid` is unique within one month's table.
 */
export function withdrawUnsettled(spans: readonly NumberedSpan[], stayed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with withdrawn as materialized (
      select near.part, near.place from unnest(${spans.map(({ number }) => number)}::integer[],
        ${spans.map(({ fromSlot }) => fromSlot)}::bigint[], ${spans.map(({ untilSlot }) => untilSlot)}::bigint[])
        as span (number, after, until)
      cross join lateral (
        select tableoid as part, ctid as place, signature, index, month from market_swaps
        where pool_number = span.number and slot > span.after and slot <= span.until order by slot limit ${NO_LIMIT}
      ) as near
      where not exists (select from ${stayed} as stayed where stayed.number = span.number
        and stayed.signature = near.signature and stayed.index = near.index and stayed.stored_month = near.month)
    )
    delete from market_swaps as swap where swap.ctid = any (array(select place from withdrawn))
      and exists (select from withdrawn where part = swap.tableoid and place = swap.ctid)`;
}

async function moveCursor(tx: Transaction<Database>, { pool, untilSlot, baseRaw, quoteRaw, swaps }: SettledSpan) {
  await tx
    .updateTable('poolCursors')
    .set({
      finalizedSlot: untilSlot,
      baseRaw,
      quoteRaw,
      gap: null,
      gapSince: null,
      changedSlot: changeAfter(sql`pool_cursors`, sql`${untilSlot}::bigint`),
      // Figures may miss a change without a remaining swap.
      ...(swaps.length > 0
        ? { updatedAt: sql`now()` }
        : { swapsVersion: sql`swaps_version + coalesce(changed_slot <= ${untilSlot}, false)::int` }),
    })
    .where('pool', '=', pool)
    .execute();
}

/** Raises the mark by final swaps only: a fork cannot graduate a token. */
async function raiseHighWater(tx: Transaction<Database>, mint: string, capUsd: SpendableUsd): Promise<void> {
  await tx
    .updateTable('tokenMarkets')
    .set({ highWaterMarketCapUsd: sql`greatest(high_water_market_cap_usd, ${capUsd}::numeric)` })
    .where('mint', '=', mint)
    .execute();
}

/** Writes swaps that are not final; needs the cursors' locks. Returns changed rows, whose pools' figures become due. */
export async function writeSwaps(tx: Transaction<Database>, swaps: readonly NewSwap[]): Promise<number> {
  if (swaps.length === 0) return 0;
  const { rows } = await sql<{ written: bigint }>`
    with given as (
      ${givenSwaps(swaps, sql`pool_cursors`)}
    ), written as (
      ${insertSwaps(sql`given`, sql`pool_cursors`)} returning pool_number
    ), raised as (
      update pool_cursors as cursor set swaps_version = cursor.swaps_version + 1
      where cursor.number in (select pool_number from written)
    )
    select count(*) as written from written`.execute(tx);
  return Number(rows[0]?.written ?? 0n);
}

/**
 * Month of the time when the swap was first stored; a fork may have changed it. A row days off is not found, and
 * settling deletes it.
 */
const STORED_MONTH = sql`(select known.month from market_swaps as known
    where known.pool_number = cursor.number and known.index = swap.index
      and known.month in (swap_month(swap.block_time - interval '1 day'), swap_month(swap.block_time + interval '1 day'))
      and substring(sha256(known.signature) for 15) = substring(sha256(swap.signature) for 15)
    order by known.month = swap_month(swap.block_time) desc limit 1)`;

/** Selects the swaps as `swap`, with pool numbers and stored month (null if new). A condition may follow. */
export function givenSwaps(swaps: readonly NewSwap[], cursors: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select swap.*, cursor.number, ${STORED_MONTH} as stored_month
    from ${tableOfSwaps(swaps)} join ${cursors} as cursor using (pool)`;
}

function tableOfSwaps(swaps: readonly NewSwap[]): RawBuilder<unknown> {
  const column = <Key extends keyof NewSwap>(key: Key) => swaps.map((swap) => swap[key]);
  const wallets = swaps.map(({ wallet }) => bytesOf(wallet, WALLET_BYTES));
  return sql`unnest(${swaps.map(({ signature }) => signatureBytes(signature))}::bytea[], ${column('pool')}::text[],
    ${column('index')}::smallint[], ${column('slot')}::bigint[], ${column('slotOrder')}::integer[],
    ${column('blockTime')}::timestamptz[], ${swaps.map(({ side }) => side === 'buy')}::boolean[], ${wallets}::bytea[],
    ${column('baseRaw')}::numeric[], ${column('quoteRaw')}::numeric[], ${column('priceQuote')}::numeric[],
    ${column('supplyRaw')}::numeric[], ${column('quoteUsd')}::numeric[]) as swap (signature, pool, index, slot, slot_order,
      block_time, is_buy, wallet, base_raw, quote_raw, price_quote, supply_raw, quote_usd)`;
}

export function factsOf(row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${row}.slot, ${row}.block_time, ${row}.is_buy, ${row}.wallet, ${row}.base_raw, ${row}.quote_raw, ${row}.price_quote)`;
}

/** Columns that may change with a swap's block. */
const VALUES = sql`slot, slot_order, block_time, is_buy, wallet, base_raw, quote_raw, price_quote, supply_raw, quote_usd`;
const [KNOWN, GIVEN] = [
  sql`(known.slot, known.slot_order, known.block_time, known.is_buy, known.wallet, known.base_raw, known.quote_raw,
    known.price_quote, known.supply_raw, known.quote_usd)`,
  sql`(excluded.slot, excluded.slot_order, excluded.block_time, excluded.is_buy, excluded.wallet, excluded.base_raw,
    excluded.quote_raw, excluded.price_quote, excluded.supply_raw, excluded.quote_usd)`,
];

/**
 * Inserts rows of `givenSwaps`; updates those that differ and are not final.
 *
 * @param cursors pools' numbers and finalized slots
 */
export function insertSwaps(given: RawBuilder<unknown>, cursors: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into market_swaps as known (${SWAP_COLUMNS}, month)
    select number, signature, index, ${VALUES}, coalesce(stored_month, swap_month(block_time)) from ${given}
    on conflict (pool_number, index, month, substring(sha256(signature) for 15)) do update set (${VALUES}) = ${GIVEN}
    where ${KNOWN} is distinct from ${GIVEN}
      and known.slot > (select finalized_slot from ${cursors} as cursor where cursor.number = known.pool_number)`;
}

/** Columns of a swap, all but the month. */
export const SWAP_COLUMNS = sql`pool_number, signature, index, ${VALUES}`;

/** Tables that may hold swaps since `moment`. */
export function monthsSince(moment: Date): RawBuilder<boolean> {
  return sql`month >= swap_month(${moment}::timestamptz - interval '1 day')`;
}

export async function windows(db: Db, mints: readonly string[], since: Date): Promise<TradingWindow[]> {
  const { rows } = await sql<TradingWindow>`
    select wanted.mint, cursor.swaps_version, coalesce(recent.volume, 0)::numeric(40, 10) as volume_usd, recent.oldest as oldest_at,
      earlier.price_usd as price_usd_before, earlier.slot is not null as has_earlier, newest.slot as newest_slot
    from unnest(${[...mints]}::text[]) as wanted (mint)
    join pool_cursors as cursor on cursor.mint = wanted.mint
    left join lateral (
      select sum(value_usd) as volume, min(block_time) as oldest from swaps
      where pool_number = cursor.number and block_time > ${since} and ${monthsSince(since)}
    ) as recent on true
    left join lateral (
      select slot, price_usd from swaps where pool_number = cursor.number and block_time <= ${since}
      order by block_time desc, slot desc, slot_order desc, index desc limit 1
    ) as earlier on true
    left join lateral (
      select slot from market_swaps where pool_number = cursor.number order by slot desc limit 1
    ) as newest on true`.execute(db);
  return rows;
}
