/**
 * In the order of `(xid, id)`, below the oldest open transaction: a transaction that commits late never adds an event
 * behind a cursor, and no reader or writer takes a lock.
 */

import { type RawBuilder, sql } from 'kysely';
import { eventTypeOf } from '../../domain/events/event-types.ts';
import type { EventFilter, EventPlace, StoredEvent } from '../../domain/events/stored-event.ts';
import type { Db } from '../connect.ts';

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** Moves on even without events. */
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
  readonly day: number;
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
    )
    select log.generation, log.dropped_xid, log.dropped_id, ${HORIZON} as horizon_xid, event_day(now()) as horizon_day,
      (select count(*) from seen) as seen, edge.xid as edge_xid, edge.id as edge_id, edge.day as edge_day, page.*
    from event_log as log left join edge on true left join page on true order by page.xid, page.id`.execute(db);
  const [first] = rows;
  if (!first) throw new Error('table event_log has no row');
  assertKept(after, horizonOf(first));
  return pageOf(rows, limit, path.examined);
}

const HORIZON = sql`pg_snapshot_xmin(pg_current_snapshot())`;

type Row = Omit<Horizon, 'xid' | 'day'> & {
  readonly horizonXid: string;
  readonly horizonDay: number;
  readonly seen: bigint;
  readonly edgeXid: string | null;
  readonly edgeId: bigint | null;
  readonly edgeDay: number | null;
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

function horizonOf({ generation, droppedXid, droppedId, horizonXid, horizonDay }: Row): Horizon {
  return { generation, droppedXid, droppedId, xid: horizonXid, day: horizonDay };
}

const isEvent = (row: Row): row is EventRow => row.xid !== null;

function pageOf(rows: readonly Row[], limit: number, examined: number): EventPage {
  const [first] = rows;
  if (!first) throw new Error('a page of events has no horizon');
  const { generation } = first;
  const found = rows.filter(isEvent);
  const events = found.slice(0, limit).map((row) => eventOf(row, generation));
  const last = events.at(-1);
  if (found.length > limit && last) return { events, next: last.place, hasMore: true };
  // Matched or not, it is behind the reader.
  if (Number(first.seen) === examined && first.edgeXid !== null && first.edgeId !== null && first.edgeDay !== null) {
    const next = { generation, xid: BigInt(first.edgeXid), id: first.edgeId, day: first.edgeDay };
    return { events, next, hasMore: true };
  }
  return { events, next: endOf(horizonOf(first)), hasMore: false };
}

function eventOf({ xid, id, day, at, type, mint, wallet, creator, body }: EventRow, generation: number): StoredEvent {
  const place = { generation, xid: BigInt(xid), id, day };
  return { place, at, type: eventTypeOf(type), mint, wallet, creator, body };
}

/** Returns the end of the log: every later event is of this transaction or a younger one. */
function endOf({ generation, xid, day }: Pick<Horizon, 'generation' | 'xid' | 'day'>): EventPlace {
  return { generation, xid: BigInt(xid), id: 0n, day };
}

function assertKept(after: EventPlace | null, { generation, droppedXid, droppedId, xid }: Horizon): void {
  if (after === null) return;
  const dropped = BigInt(droppedXid);
  const isDropped = after.xid < dropped || (after.xid === dropped && after.id < droppedId);
  // Only a restore sets the counter back.
  const isAhead = after.xid > BigInt(xid);
  if (after.generation === generation && !isDropped && !isAhead) return;
  throw new LostPlaceError({ generation, xid: dropped, id: droppedId, day: 0 });
}

/** Returns the place for a reader of future events. */
export async function end(db: Db): Promise<EventPlace> {
  const { rows } = await sql<{ generation: number; xid: string; day: number }>`
    select generation, ${HORIZON} as xid, event_day(now()) as day from event_log`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('table event_log has no row');
  return endOf(row);
}

/** Returns the place before the oldest kept event. */
export async function oldest(db: Db): Promise<EventPlace> {
  const row = await db
    .selectFrom('eventLog')
    .select(['generation', 'droppedXid', 'droppedId'])
    .executeTakeFirstOrThrow();
  return { generation: row.generation, xid: BigInt(row.droppedXid), id: row.droppedId, day: 0 };
}

/** Returns a place before every event that was recorded at `at` or later. Some earlier events may lie behind it. */
export async function placeBefore(db: Db, at: Date): Promise<EventPlace> {
  const start = await oldest(db);
  // One statement: an event may be committed between two, and an open transaction's may become the first.
  const { rows } = await sql<{ generation: number; xid: string; day: number }>`
    select generation, coalesce(first.xid, ${HORIZON}) as xid, coalesce(first.day, event_day(now())) as day
    from event_log left join (
      select xid, day from events where at >= ${at} and day >= event_day(${at}) - 1 and xid < ${HORIZON}
      order by xid, id limit 1
    ) as first on true`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('table event_log has no row');
  const place = endOf(row);
  return place.xid > start.xid ? place : start;
}

const COLUMNS = sql`xid, id, day, at, type, mint, wallet, creator, body`;

interface ReadPath {
  readonly access: RawBuilder<unknown>;
  /** Rows that are read at most. */
  readonly examined: number;
  /** Conditions that the index does not cover. */
  readonly rest: RawBuilder<boolean>;
}

/** Chooses one filter as the index; others are checked on its rows. The rarest comes first: a wallet has few events. */
function pathOf(filter: EventFilter, from: Omit<EventPlace, 'generation'>, limit: number): ReadPath {
  // Earlier days' partitions stay closed. A transaction lasts less than a day.
  const later = sql`(xid, id) > (${String(from.xid)}::xid8, ${from.id}::bigint) and xid < ${HORIZON} and day >= ${from.day - 1}::integer`;
  const { types, ...columns } = filter;
  const indexed = (['wallet', 'mint', 'creator'] as const).find((column) => columns[column] !== undefined);
  // One more than the page reveals a next one.
  const covered = { examined: limit + 1, rest: sql<boolean>`true` };
  if (indexed !== undefined) {
    const access = sql`select ${COLUMNS} from events where ${sql.ref(indexed)} = ${filter[indexed]} and ${later}`;
    const rest = restOf({ ...filter, [indexed]: undefined });
    return rest === null ? { access, ...covered } : { access, rest, examined: MOST_EXAMINED };
  }
  if (types === undefined) return { access: sql`select ${COLUMNS} from events where ${later}`, ...covered };
  const access = sql`select event.* from unnest(${[...new Set(types)]}::text[]) as wanted (name) cross join lateral (
      select ${COLUMNS} from events where type = wanted.name and ${later} order by xid, id limit ${covered.examined}
    ) as event`;
  return { access, ...covered };
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
