import type { IncomingHttpHeaders } from 'node:http';
import { fromCursor } from '../../domain/events/event-cursor.ts';
import type { EventPlace } from '../../domain/events/stored-event.ts';
import { MalformedError } from '../errors.ts';

/**
 * Names by which clients of event streams say what they got last, in any case: the standard's header, Mercure's and
 * event-source-polyfill's query parameter, and the spellings between them.
 */
const LAST_EVENT_NAMES: ReadonlySet<string> = new Set([
  'last-event-id',
  'last_event_id',
  'lasteventid',
  'evs_last_event_id',
]);

interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Returns where a client that connects again goes on; undefined for one that begins. A client keeps its URL when it
 * connects again, so a header is newer than the query, and no other difference is taken.
 *
 * @throws MalformedError for two that differ
 */
export function resumePlaceOf({ url, headers }: Asked): string | undefined {
  const inHeader = onlyOf(Object.entries(headers));
  const inQuery = onlyOf(new URLSearchParams(/\?.*/s.exec(url)?.[0]));
  if (inHeader === undefined || inQuery === undefined) return inHeader ?? inQuery;
  if (inHeader === inQuery || isBehind(inQuery, inHeader)) return inHeader;
  throw differ(inHeader, inQuery);
}

function onlyOf(entries: Iterable<readonly [string, string | string[] | undefined]>): string | undefined {
  const values = [...entries].flatMap(([name, value]) =>
    LAST_EVENT_NAMES.has(name.toLowerCase()) && typeof value === 'string' && value !== '' ? [value] : [],
  );
  const [first, second] = new Set(values);
  if (first !== undefined && second !== undefined) throw differ(first, second);
  return first;
}

function differ(one: string, other: string): MalformedError {
  return new MalformedError(`two ids of a last event differ: ${JSON.stringify(one)} and ${JSON.stringify(other)}`);
}

/** `oldest` and `now` are no cursors: a client that began with one has a cursor later. */
function isBehind(before: string, after: string): boolean {
  const [begun, reached] = [fromCursor(before), fromCursor(after)];
  if (reached === null) return false;
  return begun === null ? before === 'oldest' || before === 'now' : isEarlier(begun, reached);
}

function isEarlier(one: EventPlace, other: EventPlace): boolean {
  if (one.generation !== other.generation) return one.generation < other.generation;
  return one.xid === other.xid ? one.id < other.id : one.xid < other.xid;
}
