/**
 * In the order of `(xid, id)`, below the oldest open transaction: a transaction that commits late never adds an event
 * behind a cursor, and no reader or writer takes a lock.
 *
 * A place is that of an event, and never the horizon: after a crash or a failover the database numbers transactions again
 * that it had not flushed, such as ones that were rolled back. Those of visible events are flushed.
 */

import { type RawBuilder, sql } from 'kysely';
import { eventTypeOf } from '../../domain/events/event-types.ts';
import type { EventFilter, EventPlace, StoredEvent } from '../../domain/events/stored-event.ts';
import type { Db } from '../connect.ts';

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** Moves on even without events: also over those that the filter leaves out. */
  readonly next: EventPlace;
  /** False at the present end. */
  readonly hasMore: boolean;
}

/** The place is older than the kept events, or of another history: events may have been missed. */
export class LostPlaceError extends Error {
  readonly oldest: EventPlace;

  constructor(oldest: EventPlace) {
    super('events after this cursor are no longer kept, or the log was restored');
    this.name = 'LostPlaceError';
    this.oldest = oldest;
  }
}

/** Rows that a read examines where its index does not cover the filter: one that matches little costs no more. */
const MOST_EXAMINED = 2_000;

interface Horizon {
  readonly generation: number;
  readonly droppedXid: string;
  readonly droppedId: bigint;
  /** Transactions below have all ended. */
  readonly xid: string;
}

/**
 * Reads events after a place (null: the oldest), oldest first.
 * @throws LostPlaceError
 */
export async function readAfter(
  db: Db,
  after: EventPlace | null,
  filter: EventFilter,
  limit: number,
): Promise<EventPage> {
  const from = after ?? { xid: 0n, id: 0n, day: 0 };
  const path = pathOf(filter, from, limit);
  const { rows } = await sql<Row>`
    with seen as materialized (
      ${path.access} order by xid, id limit ${path.examined}
    ), page as (
      select * from seen where ${path.rest} order by xid, id limit ${limit + 1}
    ), edge as (
      select xid, id, day from seen order by xid desc, id desc limit 1
    ), last as (
      ${path.last}
    )
    select log.generation, log.dropped_xid, log.dropped_id, ${HORIZON} as horizon_xid, (select count(*) from seen) as seen,
      edge.xid as edge_xid, edge.id as edge_id, edge.day as edge_day,
      last.xid as last_xid, last.id as last_id, last.day as last_day, page.*
    from event_log as log left join edge on true left join last on true left join page on true
    order by page.xid, page.id`.execute(db);
  const [first] = rows;
  if (!first) throw new Error('table event_log has no row');
  const horizon = horizonOf(first);
  assertKept(after, horizon);
  return pageOf(rows, after ?? startOf(horizon), limit, path.examined);
}

const HORIZON = sql`pg_snapshot_xmin(pg_current_snapshot())`;

type Row = Omit<Horizon, 'xid'> & {
  readonly horizonXid: string;
  readonly seen: bigint;
  readonly edgeXid: string | null;
  readonly edgeId: bigint | null;
  readonly edgeDay: number | null;
  readonly lastXid: string | null;
  readonly lastId: bigint | null;
  readonly lastDay: number | null;
} & (
    | { readonly xid: null }
    | {
        readonly xid: string;
        readonly id: bigint;
        readonly day: number;
        readonly at: Date;
        readonly type: string;
        readonly mint: string | null;
        readonly wallet: string | null;
        readonly creator: string | null;
        readonly body: unknown;
      }
  );

type EventRow = Extract<Row, { readonly xid: string }>;

function horizonOf({ generation, droppedXid, droppedId, horizonXid }: Row): Horizon {
  return { generation, droppedXid, droppedId, xid: horizonXid };
}

const isEvent = (row: Row): row is EventRow => row.xid !== null;

function pageOf(rows: readonly Row[], from: EventPlace, limit: number, examined: number): EventPage {
  const [first] = rows;
  if (!first) throw new Error('a page of events has no horizon');
  const { generation, lastXid, lastId, lastDay } = first;
  const found = rows.filter(isEvent);
  const events = found.slice(0, limit).map((row) => eventOf(row, generation));
  const last = events.at(-1);
  if (found.length > limit && last) return { events, next: last.place, hasMore: true };
  // Matched or not, it is behind the reader.
  if (Number(first.seen) === examined && first.edgeXid !== null && first.edgeId !== null && first.edgeDay !== null) {
    const next = { generation, xid: BigInt(first.edgeXid), id: first.edgeId, day: first.edgeDay };
    return { events, next, hasMore: true };
  }
  if (lastXid === null || lastId === null || lastDay === null) return { events, next: from, hasMore: false };
  return { events, next: { generation, xid: BigInt(lastXid), id: lastId, day: lastDay }, hasMore: false };
}

function eventOf({ xid, id, day, at, type, mint, wallet, creator, body }: EventRow, generation: number): StoredEvent {
  const place = { generation, xid: BigInt(xid), id, day };
  return { place, at, type: eventTypeOf(type), mint, wallet, creator, body };
}

/** Returns the place before the oldest kept event. */
function startOf({ generation, droppedXid, droppedId }: Omit<Horizon, 'xid'>): EventPlace {
  return { generation, xid: BigInt(droppedXid), id: droppedId, day: 0 };
}

function assertKept(after: EventPlace | null, horizon: Horizon): void {
  if (after === null) return;
  const { generation, droppedXid, droppedId, xid } = horizon;
  const dropped = BigInt(droppedXid);
  const isDropped = after.xid < dropped || (after.xid === dropped && after.id < droppedId);
  // Only a restore sets the counter back.
  const isAhead = after.xid > BigInt(xid);
  if (after.generation === generation && !isDropped && !isAhead) return;
  throw new LostPlaceError(startOf(horizon));
}

/** Returns the place for a reader of future events: that of the last event. */
export async function end(db: Db): Promise<EventPlace> {
  const { rows } = await sql<PlaceRow>`
    select generation, coalesce(last.xid, dropped_xid) as xid, coalesce(last.id, dropped_id) as id, coalesce(last.day, 0) as day
    from event_log left join (${LAST}) as last on true`.execute(db);
  return placeOf(rows);
}

const LAST = sql`select xid, id, day from events where xid < ${HORIZON} order by xid desc, id desc limit 1`;

interface PlaceRow extends Omit<EventPlace, 'xid'> {
  readonly xid: string;
}

function placeOf([row]: readonly PlaceRow[]): EventPlace {
  if (!row) throw new Error('table event_log has no row');
  return { ...row, xid: BigInt(row.xid) };
}

/** Returns the place before the oldest kept event. */
export async function oldest(db: Db): Promise<EventPlace> {
  const row = await db
    .selectFrom('eventLog')
    .select(['generation', 'droppedXid', 'droppedId'])
    .executeTakeFirstOrThrow();
  return startOf(row);
}

/** Returns a place before every event that was recorded at `at` or later. Some earlier events may lie behind it. */
export async function placeBefore(db: Db, at: Date): Promise<EventPlace> {
  const start = await oldest(db);
  // One statement: an event may be committed between two, and an open transaction's may become the first.
  const { rows } = await sql<PlaceRow>`
    select generation, coalesce(first.xid, last.xid, dropped_xid) as xid, coalesce(first.id, last.id, dropped_id) as id,
      coalesce(first.day, last.day, 0) as day
    from event_log left join (${LAST}) as last on true left join (
      select xid, 0::bigint as id, day from events where at >= ${at} and day >= event_day(${at}) - 1 and xid < ${HORIZON}
      order by events.xid, events.id limit 1
    ) as first on true`.execute(db);
  const place = placeOf(rows);
  return place.xid > start.xid ? place : start;
}

const COLUMNS = sql`xid, id, day, at, type, mint, wallet, creator, body`;

interface ReadPath {
  readonly access: RawBuilder<unknown>;
  /** Rows that are read at most. */
  readonly examined: number;
  /** Conditions that the index does not cover. */
  readonly rest: RawBuilder<boolean>;
  /** The last event of the log, whatever the filter. */
  readonly last: RawBuilder<unknown>;
}

/** Chooses one filter as the index; others are checked on its rows. The rarest comes first: a wallet has few events. */
function pathOf(filter: EventFilter, from: Omit<EventPlace, 'generation'>, limit: number): ReadPath {
  // Earlier days' partitions stay closed. A transaction lasts less than a day.
  const later = sql`(xid, id) > (${String(from.xid)}::xid8, ${from.id}::bigint) and xid < ${HORIZON} and day >= ${from.day - 1}::integer`;
  const { types, ...columns } = filter;
  const indexed = (['wallet', 'mint', 'creator'] as const).find((column) => columns[column] !== undefined);
  // One more than the page reveals a next one.
  const covered = { examined: limit + 1, rest: sql<boolean>`true` };
  const last = sql`select xid, id, day from events where ${later} order by xid desc, id desc limit 1`;
  if (indexed !== undefined) {
    const access = sql`select ${COLUMNS} from events where ${sql.ref(indexed)} = ${filter[indexed]} and ${later}`;
    const rest = restOf({ ...filter, [indexed]: undefined });
    return rest === null ? { access, ...covered, last } : { access, rest, examined: MOST_EXAMINED, last };
  }
  if (types === undefined) {
    const access = sql`select ${COLUMNS} from events where ${later}`;
    return { access, ...covered, last: sql`select * from edge` };
  }
  const access = sql`select event.* from unnest(${[...new Set(types)]}::text[]) as wanted (name) cross join lateral (
      select ${COLUMNS} from events where type = wanted.name and ${later} order by xid, id limit ${covered.examined}
    ) as event`;
  return { access, ...covered, last };
}

/** Null without a condition. */
function restOf({ types, mint, wallet, creator }: EventFilter): RawBuilder<boolean> | null {
  const conditions = [
    ...(types === undefined ? [] : [sql`type = any(${[...types]}::text[])`]),
    ...(mint === undefined ? [] : [sql`mint = ${mint}`]),
    ...(wallet === undefined ? [] : [sql`wallet = ${wallet}`]),
    ...(creator === undefined ? [] : [sql`creator = ${creator}`]),
  ];
  return conditions.length === 0 ? null : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
