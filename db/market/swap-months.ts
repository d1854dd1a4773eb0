/** The months that swaps are stored by: tables of their own, of which an old one is written to a file and dropped. */

import { type RawBuilder, sql } from 'kysely';
import { RefusedError } from '../errors.ts';
import { type Db, transaction } from '../connect.ts';
import * as auditLog from '../platform/audit-log.ts';
import { signedBy } from './swap-bytes.ts';
import type { NewSwap } from './swaps.ts';

/** Months since the beginning of year 0, by UTC. */
export type SwapMonth = number;

/** Its swaps as they lie in the database. */
export interface StoredMonth {
  readonly month: SwapMonth;
  readonly table: string;
  /** As of the last analyze. */
  readonly aboutSwaps: bigint;
  /** With indexes. */
  readonly bytes: bigint;
}

/** A month that was written to a file. */
export interface ArchivedMonth {
  readonly month: SwapMonth;
  readonly file: string;
  readonly swaps: bigint;
  /** Of the file's lines, in hex. */
  readonly sha256: string;
  readonly untilSlot: bigint;
  readonly writtenAt: Date;
  readonly removedAt: Date | null;
}

/** This month and so many after it have tables. */
const MONTHS_AHEAD = 2;

/** Whoever waits for a table to be added or dropped waits no longer than this; the next attempt may find a better moment. */
const LOCK_PATIENCE = '3s';

/** The month of a moment. */
export function monthOf(moment: Date): SwapMonth {
  return moment.getUTCFullYear() * 12 + moment.getUTCMonth();
}

/** A month as people write it: 2026-05. */
export function monthText(month: SwapMonth): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/**
 * Gives tables to this month, the next two and those of which swaps came before they had one. Answers the months that have one now and
 * had none; asks one question where all have.
 */
export async function prepare(db: Db, now: Date): Promise<SwapMonth[]> {
  const lacking = await sql<{ month: SwapMonth }>`
    select month from (
      select (swap_month(${now}) + ahead)::smallint as month from generate_series(0, ${MONTHS_AHEAD}::integer) as ahead
      union select month from market_swaps_rest
    ) as needed where to_regclass(swap_month_table(month)) is null order by month`.execute(db);
  for (const { month } of lacking.rows) {
    await transaction(db, async (tx) => {
      await waitShortly(tx);
      await sql`select add_swap_month(${month}::smallint)`.execute(tx);
    });
  }
  return lacking.rows.map(({ month }) => month);
}

function waitShortly(tx: Db): Promise<unknown> {
  return sql`set local lock_timeout = ${sql.lit(LOCK_PATIENCE)}`.execute(tx);
}

/** The months that have tables, oldest first. */
export async function stored(db: Db): Promise<StoredMonth[]> {
  const { rows } = await sql<StoredMonth>`
    select month, class.relname as "table", greatest(class.reltuples, 0)::bigint as about_swaps,
      pg_total_relation_size(class.oid) as bytes
    from pg_inherits join pg_class as class on class.oid = inhrelid
    cross join lateral (
      select (substring(class.relname from '_(\\d{4})_\\d{2}$')::integer * 12
        + substring(class.relname from '_\\d{4}_(\\d{2})$')::integer - 1) as month
    ) as named
    where inhparent = 'market_swaps'::regclass and month is not null order by month`.execute(db);
  return rows;
}

/** The months that were written to files, oldest first. */
export function archived(db: Db): Promise<ArchivedMonth[]> {
  return db.selectFrom('swapArchives').selectAll().orderBy('month').execute();
}

/** Up to this slot swaps may have been removed with their months; null where none were. */
export async function removedUntil(db: Db): Promise<bigint | null> {
  const row = await db
    .selectFrom('swapArchives')
    .select((on) => on.fn.max('untilSlot').as('slot'))
    .where('removedAt', 'is not', null)
    .executeTakeFirst();
  return row?.slot ?? null;
}

/** A swap of a file: what is stored of it. */
export type ArchivedSwap = Omit<NewSwap, 'priceUsd' | 'valueUsd'>;

/** Swaps that are read at once. */
const PAGE = 5_000;

/** All swaps of a month, pool by pool in the order of the chain, a page after the other, as they were at one moment. */
export async function* swapsOf(db: Db, month: SwapMonth): AsyncGenerator<ArchivedSwap[]> {
  // A cursor lives in one transaction.
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').execute();
  try {
    await sql`declare swaps_of_month no scroll cursor for
      select signature_bytes, pool, index, mint, slot, slot_order, block_time, side, wallet_bytes, base_raw, quote_raw, price_quote,
        supply_raw, quote_usd
      from swaps where month = ${sql.lit(month)} order by pool_number, slot, slot_order, signature_bytes, index`.execute(
      tx,
    );
    for (;;) {
      const { rows } = await sql<
        Omit<ArchivedSwap, 'signature' | 'wallet'> & { signatureBytes: Buffer; walletBytes: Buffer }
      >`fetch ${sql.lit(PAGE)} from swaps_of_month`.execute(tx);
      if (rows.length === 0) return;
      yield rows.map((row) => signedBy(row));
    }
  } finally {
    await tx.rollback().execute();
  }
}

/** Notes that a month was written to a file. */
export async function noteArchived(
  db: Db,
  written: Omit<ArchivedMonth, 'writtenAt' | 'removedAt' | 'untilSlot'>,
): Promise<void> {
  const untilSlot = sql<bigint>`(select coalesce(max(slot), 0) from market_swaps where month = ${written.month}::smallint)`;
  const { file, swaps, sha256 } = written;
  await db
    .insertInto('swapArchives')
    .values({ ...written, untilSlot })
    .onConflict((on) => on.column('month').doUpdateSet({ file, swaps, sha256, untilSlot, writtenAt: sql`now()` }))
    .execute();
}

/** Who removes a month, and why. */
export interface Removal {
  readonly month: SwapMonth;
  readonly now: Date;
  readonly actor: string;
  readonly note?: string;
}

/**
 * Drops the table of a month that was written to a file, and audits it. Of each pool the last swap stays: by it the price of the time
 * after is known. All or nothing. @throws RefusedError where the month is younger than two months, is not the oldest, is not final, or
 * is not what was written.
 */
export async function remove(db: Db, { month, now, actor, note }: Removal): Promise<void> {
  const text = monthText(month);
  await transaction(db, async (tx) => {
    await waitShortly(tx);
    // Nobody adds or drops a month meanwhile, and nobody repairs this one.
    await sql`lock table only market_swaps in share update exclusive mode`.execute(tx);
    const months = await stored(tx);
    const [oldest] = months;
    const table = months.find((one) => one.month === month)?.table;
    if (table === undefined) throw new RefusedError(`swaps of ${text} have no table`);
    if (month > monthOf(now) - 2)
      throw new RefusedError(`${text} is too young: only what lies two months back is removed`);
    if (oldest!.month !== month)
      throw new RefusedError(`${monthText(oldest!.month)} is older than ${text}: remove it first`);
    await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx);
    await assertWritten(tx, month, sql.table(table));
    await keepLast(tx, sql.table(table));
    await sql`drop table ${sql.table(table)}`.execute(tx);
    await tx
      .updateTable('swapArchives')
      .set({ removedAt: sql`now()` })
      .where('month', '=', month)
      .execute();
    await auditLog.append(tx, {
      actor,
      action: 'market.remove-month',
      subject: `month/${text}`,
      ...(note && { note }),
    });
  });
}

async function assertWritten(tx: Db, month: SwapMonth, table: RawBuilder<unknown>): Promise<void> {
  const text = monthText(month);
  const { rows } = await sql<{ swaps: bigint; untilSlot: bigint; isFinal: boolean }>`
    select count(*) as swaps, coalesce(max(slot), 0) as until_slot, coalesce(bool_and(slot <= finalized_slot), true) as is_final
    from ${table} join pool_cursors on number = pool_number`.execute(tx);
  const there = rows[0]!;
  if (!there.isFinal) throw new RefusedError(`${text} has swaps that are not final yet`);
  const written = await tx.selectFrom('swapArchives').selectAll().where('month', '=', month).executeTakeFirst();
  if (!written) throw new RefusedError(`${text} was not written to a file`);
  if (written.swaps !== there.swaps || written.untilSlot !== there.untilSlot) {
    throw new RefusedError(`${text} has ${there.swaps} swaps, its file ${written.swaps}: write it again`);
  }
}

async function keepLast(tx: Db, table: RawBuilder<unknown>): Promise<void> {
  const columns = sql`pool_number, signature, index, slot, slot_order, block_time, is_buy, wallet, base_raw, quote_raw,
    price_quote, supply_raw, quote_usd`;
  await sql`delete from market_swaps_kept where pool_number in (select pool_number from ${table})`.execute(tx);
  await sql`insert into market_swaps (${columns}, month)
    select distinct on (pool_number) ${columns}, 0 from ${table}
    order by pool_number, slot desc, slot_order desc, signature desc, index desc`.execute(tx);
}
