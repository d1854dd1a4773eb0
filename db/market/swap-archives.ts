import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { briefly } from '../briefly.ts';
import type { Db } from '../connect.ts';
import { classifyDatabaseError, RefusedError } from '../errors.ts';
import * as auditLog from '../platform/audit-log.ts';
import { signedBy } from './swap-bytes.ts';
import { monthOf, monthText, stored, type StoredMonth, type SwapMonth } from './swap-months.ts';
import { type NewSwap, SWAP_COLUMNS } from './swaps.ts';

/** An archived month; several files if swaps arrived after removal. */
export interface ArchivedMonth {
  readonly month: SwapMonth;
  readonly file: string;
  readonly swaps: bigint;
  readonly sha256: string;
  /** Of its newest swap; 0 if empty. */
  readonly untilSlot: bigint;
  /** The archived `MonthReading.changes`. */
  readonly changes: bigint;
  readonly writtenAt: Date;
  readonly removedAt: Date | null;
}

/** Attempts to take the locks; the pause between them is in ms. */
const ATTEMPTS = 20;
const PAUSE_MS = 1_000;

const IN_THE_WAY = 'swaps are in use for long (a dump, or a vacuum that runs): nothing was removed; run it again later';

/** @throws RefusedError if the locks are never free */
async function patiently(db: Db, work: (tx: Db) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await briefly(db, work);
    } catch (error) {
      if (classifyDatabaseError(error) !== 'contention') throw error;
      if (attempt === ATTEMPTS) throw new RefusedError(IN_THE_WAY, { cause: error });
      await sleep(PAUSE_MS);
    }
  }
}

/** Lists archives, oldest month first. */
export function archived(db: Db): Promise<ArchivedMonth[]> {
  return db.selectFrom('swapArchives').selectAll().orderBy('month').orderBy('number').execute();
}

/** Null if none were removed. */
export async function removedUntil(db: Db): Promise<bigint | null> {
  const row = await db
    .selectFrom('swapArchives')
    .select((on) => on.fn.max('untilSlot').as('slot'))
    .where('removedAt', 'is not', null)
    .executeTakeFirst();
  return row?.slot ?? null;
}

export type ArchivedSwap = Omit<NewSwap, 'priceUsd' | 'valueUsd'>;

const PAGE = 5_000;

export interface MonthReading {
  /** `remove` compares it. */
  readonly changes: bigint;
  /** By pool, in chain order. */
  readonly pages: AsyncGenerator<ArchivedSwap[]>;
}

/**
 * Starts change tracking first.
 *
 * @throws RefusedError without a table
 */
export async function readMonth<Result>(
  db: Db,
  month: SwapMonth,
  read: (reading: MonthReading) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const table = await tableOf(db, month);
    if (!(await areNoted(db, table))) await patiently(db, (tx) => noteChanges(tx, month, table));
    // A cursor lives in one transaction.
    const tx = await db.startTransaction().setIsolationLevel('repeatable read').execute();
    try {
      // First: the table must exist and stay.
      await sql`lock table ${sql.table(table)} in access share mode`.execute(tx);
      await sql`set local statement_timeout = 0`.execute(tx);
      // A recreated table has no tracking.
      if (!(await areNoted(tx, table))) continue;
      return await read({ changes: (await changesOf(tx, month))!, pages: swapsOf(tx, month) });
    } finally {
      await tx.rollback().execute();
    }
  }
}

async function tableOf(db: Db, month: SwapMonth): Promise<string> {
  return tableAmong(await stored(db), month);
}

function tableAmong(months: readonly StoredMonth[], month: SwapMonth): string {
  const there = months.find((one) => one.month === month);
  if (!there) throw new RefusedError(`swaps of ${monthText(month)} have no table: see market months`);
  return there.table;
}

async function areNoted(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_trigger where tgrelid = to_regclass(${table}) and tgname = 'note_change'`.execute(db);
  return rows.length > 0;
}

/** Waits for current writers: every later change is tracked. */
async function noteChanges(tx: Db, month: SwapMonth, table: string): Promise<void> {
  await sql`create or replace trigger note_change after insert or update or delete on ${sql.table(table)}
    for each row execute function note_swap_change(${sql.lit(String(month))})`.execute(tx);
  await tx
    .insertInto('swapMonthChanges')
    .values({ month })
    .onConflict((on) => on.doNothing())
    .execute();
}

async function changesOf(tx: Db, month: SwapMonth): Promise<bigint | undefined> {
  const row = tx.selectFrom('swapMonthChanges').select('changes').where('month', '=', month);
  return (await row.executeTakeFirst())?.changes;
}

async function* swapsOf(tx: Db, month: SwapMonth): AsyncGenerator<ArchivedSwap[]> {
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
}

export async function noteArchived(db: Db, written: Omit<ArchivedMonth, 'writtenAt' | 'removedAt'>): Promise<void> {
  await db.insertInto('swapArchives').values(written).execute();
}

export interface Removal {
  readonly month: SwapMonth;
  readonly now: Date;
  readonly actor: string;
  readonly note?: string;
}

/**
 * Removes a month, audited, all or nothing. Keeps each pool's last and last priced swap, which later prices refer to.
 * Writers wait briefly.
 * @throws RefusedError if the month is too young, not the oldest, may still get swaps, or changed since its archive
 */
export async function remove(db: Db, removal: Removal): Promise<void> {
  await patiently(db, (tx) => removeNow(tx, removal));
}

async function removeNow(tx: Db, { month, now, actor, note }: Removal): Promise<void> {
  const text = monthText(month);
  // Of additions and removals of months.
  await sql`lock table only market_swaps in share update exclusive mode`.execute(tx);
  const name = await removableTable(tx, { month, now });
  const table = sql.table(name);
  await findNewest(tx, table);
  // Writers lock cursors first and wait here; readers wait only for the drop.
  await sql`lock table pool_cursors in exclusive mode`.execute(tx);
  await assertOver(tx, text);
  await keepNewest(tx);
  await sql`lock table only market_swaps in access exclusive mode`.execute(tx);
  await sql`lock table ${table} in access exclusive mode`.execute(tx);
  await assertWritten(tx, month, name);
  await sql`drop table ${table}`.execute(tx);
  // An old file must not pass as the archive of a recreated month.
  await tx
    .updateTable('swapMonthChanges')
    .set({ changes: sql`changes + 1` })
    .where('month', '=', month)
    .execute();
  await tx
    .updateTable('swapArchives')
    .set({ removedAt: sql`now()` })
    .where('month', '=', month)
    .where('removedAt', 'is', null)
    .execute();
  await auditLog.append(tx, {
    actor,
    action: 'market.remove-month',
    subject: `month/${text}`,
    ...(note && { note }),
  });
}

/** @throws RefusedError if the month must not be removed, whatever it contains */
export async function removableTable(db: Db, { month, now }: Pick<Removal, 'month' | 'now'>): Promise<string> {
  const text = monthText(month);
  const months = await stored(db);
  const table = tableAmong(months, month);
  if (month > monthOf(now) - 2)
    throw new RefusedError(`${text} is too young: only what lies two months back is removed`);
  const [oldest] = months;
  if (oldest!.month !== month)
    throw new RefusedError(`${monthText(oldest!.month)} is older than ${text}: remove it first`);
  return table;
}

/** Files of an unchanged month are equal. */
async function assertWritten(tx: Db, month: SwapMonth, table: string): Promise<void> {
  const text = monthText(month);
  const written = await tx
    .selectFrom('swapArchives')
    .select(['file', 'changes'])
    .where('month', '=', month)
    .where('removedAt', 'is', null)
    .orderBy('number', 'desc')
    .executeTakeFirst();
  if (!written) throw new RefusedError(`${text} was not written to a file`);
  if (!(await areNoted(tx, table)) || written.changes !== (await changesOf(tx, month))) {
    throw new RefusedError(`swaps of ${text} changed since ${written.file} was written: write it again`);
  }
}

/** Refuses swaps that a fork can remove, and an incomplete history. */
async function assertOver(tx: Db, text: string): Promise<void> {
  const { rows } = await sql<{ open: bigint; behind: bigint; oneBehind: string | null }>`
    select count(*) filter (where is_open) as open, count(*) filter (where is_behind) as behind,
      min(mint) filter (where is_behind) as one_behind
    from (
      select mint, finalized_slot < newest.slot as is_open,
        finalized_slot < until and (gap is not null or changed_slot is not null) as is_behind
      from pool_cursors left join (select pool_number, max(slot) as slot from newest_swaps group by 1) as newest on pool_number = number
      cross join (select max(slot) as until from newest_swaps) as month
    ) as pools`.execute(tx);
  const { open, behind, oneBehind } = rows[0]!;
  if (open > 0n) throw new RefusedError(`${text} has swaps that are not final yet`);
  if (behind > 0n) {
    const which = `${behind} pools are not followed up to the end of ${text} yet, that of ${oneBehind} for one`;
    throw new RefusedError(`${which}: "ops market check" says which; "ops market check --repair" mends it`);
  }
}

const NEWEST_FIRST = sql`slot desc, slot_order desc, signature desc, index desc`;

async function findNewest(tx: Db, table: RawBuilder<unknown>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`create temporary table newest_swaps on commit drop as
    select newest.* from pool_cursors cross join lateral (
      (select ${SWAP_COLUMNS} from ${table} where pool_number = number order by ${NEWEST_FIRST} limit 1)
      union (select ${SWAP_COLUMNS} from ${table} where pool_number = number and quote_usd is not null order by ${NEWEST_FIRST} limit 1)
    ) as newest`.execute(tx);
}

/** Swaps kept earlier may be newer: a fork can move one across months. */
async function keepNewest(tx: Db): Promise<void> {
  await sql`insert into newest_swaps select ${SWAP_COLUMNS} from market_swaps_kept
    where pool_number in (select pool_number from newest_swaps)`.execute(tx);
  await sql`delete from market_swaps_kept where pool_number in (select pool_number from newest_swaps)`.execute(tx);
  await sql`insert into market_swaps (${SWAP_COLUMNS}, month)
    select distinct on (pool_number, signature, index) ${SWAP_COLUMNS}, 0 from (
      (select distinct on (pool_number) ${SWAP_COLUMNS} from newest_swaps order by pool_number, ${NEWEST_FIRST})
      union (select distinct on (pool_number) ${SWAP_COLUMNS} from newest_swaps where quote_usd is not null order by pool_number, ${NEWEST_FIRST})
    ) as kept order by pool_number, signature, index, quote_usd nulls last`.execute(tx);
}
