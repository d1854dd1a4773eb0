/** Swaps of launched tokens. Up to the cursor of their pool they are final and never change again. */

import { type RawBuilder, sql, type Transaction } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import type { Database } from '../schema/database.ts';
import type { SwapView } from '../schema/market.ts';
import { bytesOf, SIGNATURE_BYTES, signedBy, WALLET_BYTES } from './swap-bytes.ts';

/** A stored swap. */
export type SwapRecord = Omit<SwapView, 'poolNumber' | 'signatureBytes' | 'walletBytes' | 'month'>;

/** The same with addresses as bytes. */
type StoredSwap = Omit<SwapView, 'poolNumber' | 'signature' | 'wallet' | 'month'>;

/** A swap to store, priced. */
export type NewSwap = Omit<SwapRecord, 'finalized'>;

/** What happened in a swap, by which others may know it again. */
export type SwapFacts = Pick<
  SwapRecord,
  'signature' | 'index' | 'slot' | 'blockTime' | 'side' | 'baseRaw' | 'quoteRaw' | 'priceQuote'
>;

/** These columns of a table `swap`, as they are stored. */
export const SWAP_FACTS = sql`swap.signature_bytes, swap.index, swap.slot, swap.block_time, swap.side, swap.base_raw, swap.quote_raw,
  swap.price_quote`;
export type StoredSwapFacts = Omit<SwapFacts, 'signature'> & { readonly signatureBytes: Buffer };

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
  /** The quote vault's; null where it is not known. */
  readonly quoteRaw: bigint | null;
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
  return select(db, sql`pool = ${pool} and not finalized`);
}

/** More than a pool has, so that its swaps are looked for by themselves: how few of them are not final no statistics tell. */
const NO_LIMIT = 1_000_000;

/** The same of many pools, pool by pool. */
export async function provisionalOf(db: Db, pools: readonly string[]): Promise<SwapRecord[]> {
  const { rows } = await sql<StoredSwap>`
    select open.* from unnest(${pools}::text[]) as given (pool) cross join lateral (
      select ${STORED} from swaps where swaps.pool = given.pool and not finalized
      order by slot, slot_order, index limit ${NO_LIMIT}
    ) as open`.execute(db);
  return rows.map((row) => signedBy(row));
}

/** All stored swaps of a pool up to a slot, oldest first. */
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

/** Says that swaps of a pool are other ones now: its figures are due, whatever becomes of the process that was to compute them anew. */
export async function raiseVersion(tx: Transaction<Database>, pool: string): Promise<void> {
  const swapsVersion = sql<bigint>`swaps_version + 1`;
  await tx.updateTable('poolCursors').set({ swapsVersion }).where('pool', '=', pool).execute();
}

/** The cursor's row is the lock: whoever stores swaps of a pool does it alone. */
function lockCursor(tx: Transaction<Database>, pool: string) {
  const row = tx.selectFrom('poolCursors').select(['number', 'finalizedSlot']).where('pool', '=', pool);
  return row.forUpdate().executeTakeFirstOrThrow();
}

/**
 * Stores what is final, removes provisional swaps of these slots that did not stay, raises the high water mark and moves
 * the cursor, in one database transaction. Null when somebody else moved the cursor meanwhile: then nothing is written.
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

/** A stretch of the pool with this number. */
type NumberedSpan = Pick<SettledSpan, 'fromSlot' | 'untilSlot'> & { readonly number: number };

/**
 * A statement that removes stored swaps of these stretches that are not among those of a table like `givenSwaps`, or not with the month
 * that one of them is stored with, under the locks of their pools' cursors. It looks for them pool by pool, so that it reads these stretches
 * alone, however much was traded before, and whatever statistics say; and it finds again by their places what it found, which each month's
 * table counts by itself.
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
 * written: none of a swap that is stored as it is given. Figures are due of pools of which one is new, or not what it was.
 */
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
 * It is the month of a swap's time when it was first seen, whatever a fork made of that since. What was stored with a time that is days off
 * is not found, and goes when the swap is settled.
 */
const STORED_MONTH = sql`(select known.month from market_swaps as known
    where known.pool_number = cursor.number and known.index = swap.index
      and known.month in (swap_month(swap.block_time - interval '1 day'), swap_month(swap.block_time + interval '1 day'))
      and substring(sha256(known.signature) for 15) = substring(sha256(swap.signature) for 15)
    order by known.month = swap_month(swap.block_time) desc limit 1)`;

/**
 * The rows of a table: these swaps as `swap`, with the numbers of their pools by `cursors`, a table of pools, and the month that each is
 * stored with already; null where it is not. A condition may follow.
 */
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

/** What of a swap may change with its block. */
const VALUES = sql`slot, slot_order, block_time, is_buy, wallet, base_raw, quote_raw, price_quote, supply_raw, quote_usd`;
const [KNOWN, GIVEN] = [
  sql`(known.slot, known.slot_order, known.block_time, known.is_buy, known.wallet, known.base_raw, known.quote_raw,
    known.price_quote, known.supply_raw, known.quote_usd)`,
  sql`(excluded.slot, excluded.slot_order, excluded.block_time, excluded.is_buy, excluded.wallet, excluded.base_raw,
    excluded.quote_raw, excluded.price_quote, excluded.supply_raw, excluded.quote_usd)`,
];

/**
 * Inserts the rows of a table of the statement: those of `givenSwaps`. One that is there is brought
 * up to date, unless it is what it was, or is final by `cursors`, a table of pools' numbers and finalized slots.
 */
export function insertSwaps(given: RawBuilder<unknown>, cursors: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into market_swaps as known (${SWAP_COLUMNS}, month)
    select number, signature, index, ${VALUES}, coalesce(stored_month, swap_month(block_time)) from ${given}
    on conflict (pool_number, index, month, substring(sha256(signature) for 15)) do update set (${VALUES}) = ${GIVEN}
    where ${KNOWN} is distinct from ${GIVEN}
      and known.slot > (select finalized_slot from ${cursors} as cursor where cursor.number = known.pool_number)`;
}

/** All columns of a stored swap but its month. */
export const SWAP_COLUMNS = sql`pool_number, signature, index, ${VALUES}`;

/** What is stored of a moment and later lies in these months; a condition that leaves the tables of others unread. */
export function monthsSince(moment: Date): RawBuilder<boolean> {
  return sql`month >= swap_month(${moment}::timestamptz - interval '1 day')`;
}

/** The trading window of each token: what happened since a moment. */
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
