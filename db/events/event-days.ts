import { sql } from 'kysely';
import { briefly } from '../briefly.ts';
import { type Db, transaction } from '../connect.ts';

const DAYS_AHEAD = 2;

/** Returns how many. */
export async function prepare(db: Db): Promise<number> {
  const { rows } = await sql<{ day: number; hasEvents: boolean }>`
    select day, day <= event_day(now()) + 1 or day in (select day from events_rest) as has_events from (
      select event_day(now()) + ahead as day from generate_series(0, ${DAYS_AHEAD}::integer) as ahead
      union select day from events_rest
    ) as needed where to_regclass(event_day_table(day)) is null order by day`.execute(db);
  for (const { day, hasEvents } of rows) await briefly(db, (tx) => add(tx, day, hasEvents));
  return rows.length;
}

/** `hasEvents`: stored ones may have to be moved. Without any, writers need not wait. */
async function add(tx: Db, day: number, hasEvents: boolean): Promise<void> {
  // A reader that knows the tables of before would find moved events in none of them.
  if (hasEvents) await sql`lock table only events in access exclusive mode`.execute(tx);
  await sql`select add_event_day(${day}::integer)`.execute(tx);
}

interface StoredDay {
  readonly day: number;
  readonly table: string;
}

/** Drops tables of days older than `keptDays`: cursors before their last event are then too old. */
export async function dropOld(db: Db, keptDays: number): Promise<number> {
  const { rows } = await sql<StoredDay>`
    select day, event_day_table(day) as "table" from (
      select to_date(substring(class.relname from '^events_(\\d{4}_\\d{2}_\\d{2})$'), 'YYYY_MM_DD') - date '1970-01-01' as day
      from pg_inherits join pg_class as class on class.oid = inhrelid where inhparent = 'events'::regclass
    ) as stored where day < event_day(now()) - ${keptDays}::integer order by day`.execute(db);
  for (const stored of rows) await briefly(db, (tx) => drop(tx, stored));
  return rows.length;
}

async function drop(tx: Db, { table }: StoredDay): Promise<void> {
  await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
  await sql`
    update event_log set dropped_xid = last.xid, dropped_id = last.id
    from (select xid, id from ${sql.table(table)} order by xid desc, id desc limit 1) as last
    where (last.xid, last.id) > (dropped_xid, dropped_id)`.execute(tx);
  await sql`drop table ${sql.table(table)}`.execute(tx);
}

/**
 * Returns the time since the oldest event that an open older transaction hides from readers, seconds; 0 without one.
 */
export async function heldBackSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 as seconds from events
    where xid >= pg_snapshot_xmin(pg_current_snapshot()) and day >= event_day(now()) - 1`.execute(db);
  return rows[0]?.seconds ?? 0;
}

/** Renews the log after a restore: every earlier cursor is answered with the place to begin again. */
export async function renew(db: Db): Promise<number> {
  const { rows } = await sql<{ generation: number }>`
    update event_log set generation = generation + 1 returning generation`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('table event_log has no row');
  return row.generation;
}

/**
 * A dump's copy counts transactions from the start, so its events and what it dropped would lie in the future. Deletes
 * them and renews the log. Returns how many events.
 */
export async function discardForeign(db: Db): Promise<number> {
  return transaction(db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('events').where('xid', '>=', NEXT_XID).executeTakeFirstOrThrow();
    // Every cursor of this server would be before it, and too old.
    const { numUpdatedRows } = await tx
      .updateTable('eventLog')
      .set({ droppedXid: '0', droppedId: 0n })
      .where('droppedXid', '>=', NEXT_XID)
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n || numUpdatedRows > 0n) await renew(tx);
    return Number(numDeletedRows);
  });
}

const NEXT_XID = sql<string>`pg_snapshot_xmax(pg_current_snapshot())`;
