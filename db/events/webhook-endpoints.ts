import { type Selectable, sql, type UpdateObject } from 'kysely';
import { fromCursor, toCursor } from '../../domain/events/event-cursor.ts';
import { eventTypeOf } from '../../domain/events/event-types.ts';
import type { EventFilter, EventPlace } from '../../domain/events/stored-event.ts';
import type { Db } from '../connect.ts';
import type { Database } from '../schema/database.ts';
import type { WebhookEndpointTable } from '../schema/webhooks.ts';

/** A receiver of events, without its secret. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly filter: EventFilter;
  /** Behind the last event that the receiver took. */
  readonly place: EventPlace;
  /** Null while events are delivered. */
  readonly pausedBecause: string | null;
  /** Failed tries of the next event. */
  readonly failures: number;
  readonly nextTryAt: Date | null;
  readonly lastFailure: string | null;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
}

export interface NewWebhookEndpoint extends Pick<WebhookEndpoint, 'id' | 'url' | 'filter' | 'place'> {
  readonly secret: string;
}

const COLUMNS = [
  'id',
  'url',
  'types',
  'mint',
  'wallet',
  'creator',
  'cursor',
  'pausedBecause',
  'failures',
  'nextTryAt',
  'lastFailure',
  'deliveredAt',
  'createdAt',
] as const;

type Row = Pick<Selectable<WebhookEndpointTable>, (typeof COLUMNS)[number]>;

function endpointOf({ types, mint, wallet, creator, cursor, ...row }: Row): WebhookEndpoint {
  const place = fromCursor(cursor);
  if (place === null) throw new Error(`webhook endpoint ${row.id} has the cursor "${cursor}", which is none`);
  const filter = {
    types: types?.map(eventTypeOf),
    mint: mint ?? undefined,
    wallet: wallet ?? undefined,
    creator: creator ?? undefined,
  };
  return { ...row, filter, place };
}

export async function add(db: Db, { id, url, secret, filter, place }: NewWebhookEndpoint): Promise<void> {
  const { types, mint, wallet, creator } = filter;
  await db
    .insertInto('webhookEndpoints')
    .values({ id, url, secret, types: types && [...types], mint, wallet, creator, cursor: toCursor(place) })
    .execute();
}

export async function list(db: Db): Promise<WebhookEndpoint[]> {
  const rows = await db.selectFrom('webhookEndpoints').select(COLUMNS).orderBy('createdAt').orderBy('id').execute();
  return rows.map(endpointOf);
}

/** False while it is paused, or waits after a failed try. */
export function isDue({ pausedBecause, nextTryAt }: WebhookEndpoint, now: Date): boolean {
  return pausedBecause === null && (nextTryAt === null || nextTryAt <= now);
}

export async function byId(db: Db, id: string): Promise<WebhookEndpoint | null> {
  const row = await db.selectFrom('webhookEndpoints').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  return row ? endpointOf(row) : null;
}

/** @throws for an endpoint that is gone */
export async function secretOf(db: Db, id: string): Promise<string> {
  const row = db.selectFrom('webhookEndpoints').select('secret').where('id', '=', id);
  return (await row.executeTakeFirstOrThrow()).secret;
}

type Reached = Pick<WebhookEndpoint, 'id' | 'place'>;

/**
 * Moves the cursor, after the receiver took the event at it. False if the endpoint is gone, or something else moved its
 * cursor, such as a replay.
 */
export function taken(db: Db, from: Reached, to: EventPlace): Promise<boolean> {
  const at = sql<Date>`now()`;
  return change(db, from, { cursor: toCursor(to), failures: 0, nextTryAt: null, lastFailure: null, deliveredAt: at });
}

/** Moves the cursor over events that the filter leaves out. */
export function skip(db: Db, from: Reached, to: EventPlace): Promise<boolean> {
  return change(db, from, { cursor: toCursor(to) });
}

export interface FailedTry {
  readonly failures: number;
  readonly lastFailure: string;
  /** Seconds until the next try. */
  readonly pauseSeconds: number;
}

export function failed(db: Db, from: Reached, { failures, lastFailure, pauseSeconds }: FailedTry): Promise<boolean> {
  const nextTryAt = sql<Date>`now() + make_interval(secs => ${pauseSeconds}::integer)`;
  return change(db, from, { failures, lastFailure, nextTryAt });
}

type Change = UpdateObject<Database, 'webhookEndpoints', 'webhookEndpoints'>;

const update = (db: Db) => db.updateTable('webhookEndpoints');

/** Compares the cursor, so that two deliveries never move it past each other. */
async function change(db: Db, { id, place }: Reached, values: Change): Promise<boolean> {
  const changed = update(db).set(values).where('id', '=', id).where('cursor', '=', toCursor(place));
  return (await changed.executeTakeFirstOrThrow()).numUpdatedRows === 1n;
}

/** False if it is unknown. */
export async function pause(db: Db, id: string, because: string): Promise<boolean> {
  return decide(db, id, { pausedBecause: because, nextTryAt: null });
}

export async function resume(db: Db, id: string): Promise<boolean> {
  return decide(db, id, { pausedBecause: null, failures: 0, nextTryAt: null });
}

/** Delivers again, or skips to, what lies behind a place. */
export async function replay(db: Db, id: string, from: EventPlace): Promise<boolean> {
  return decide(db, id, { cursor: toCursor(from), failures: 0, nextTryAt: null });
}

async function decide(db: Db, id: string, values: Change): Promise<boolean> {
  return (await update(db).set(values).where('id', '=', id).executeTakeFirstOrThrow()).numUpdatedRows === 1n;
}

export async function remove(db: Db, id: string): Promise<boolean> {
  const removed = db.deleteFrom('webhookEndpoints').where('id', '=', id);
  return (await removed.executeTakeFirstOrThrow()).numDeletedRows === 1n;
}
