import { isIP } from 'node:net';
import { isLoopbackName } from '../../../config/loopback.ts';
import { isPublicAddress } from '../../../chain/http/public-address.ts';
import type { Db } from '../../../db/connect.ts';
import * as eventLog from '../../../db/events/event-log.ts';
import { fromCursor } from '../../../domain/events/event-cursor.ts';
import { eventTypeOf } from '../../../domain/events/event-types.ts';
import type { EventFilter, EventPlace } from '../../../domain/events/stored-event.ts';
import { OpsError } from '../../io.ts';

export interface FilterOptions {
  readonly types?: string;
  readonly mint?: string;
  readonly wallet?: string;
  readonly creator?: string;
}

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** @throws OpsError for an unknown type or no address */
export function filterIn({ types, mint, wallet, creator }: FilterOptions): EventFilter {
  for (const [name, address] of Object.entries({ mint, wallet, creator })) {
    if (address !== undefined && !ADDRESS.test(address)) throw new OpsError(`--${name} ${address} is not an address`);
  }
  try {
    return { types: types?.split(',').map(eventTypeOf), mint, wallet, creator };
  } catch (error) {
    throw error instanceof RangeError ? new OpsError(error.message, { cause: error }) : error;
  }
}

export function filterText({ types, mint, wallet, creator }: EventFilter): string {
  const named = Object.entries({ mint, wallet, creator }).flatMap(([name, value]) =>
    value ? [`${name} ${value}`] : [],
  );
  return [types?.join(',') ?? 'all', ...named].join(', ');
}

/**
 * Checks what can be known before a connection. The worker checks the addresses of a name at each connection.
 *
 * @throws OpsError
 */
export function webhookUrl(text: string): string {
  if (!URL.canParse(text)) throw new OpsError(`"${text}" is not a URL`);
  const url = new URL(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isOwn = isLoopbackName(url.hostname);
  if (url.username !== '' || url.password !== '') throw new OpsError('a webhook URL has no user name and no password');
  if (url.protocol !== 'https:' && !(isOwn && url.protocol === 'http:'))
    throw new OpsError(`${text} is not an https URL`);
  if (isIP(host) !== 0 && !isOwn && !isPublicAddress(host)) throw new OpsError(`${host} is not a public address`);
  return url.href;
}

/** @throws OpsError for text that names no place of the log */
export async function placeIn(db: Db, from: string): Promise<EventPlace> {
  if (from === 'now') return eventLog.end(db);
  if (from === 'oldest') return eventLog.oldest(db);
  const place = fromCursor(from);
  if (place !== null) return place;
  const at = new Date(from);
  if (!/^\d{4}-\d{2}-\d{2}/.test(from) || Number.isNaN(at.getTime())) {
    throw new OpsError(`"${from}" is neither oldest, now, a cursor nor a time such as 2026-11-21T15:00:00Z`);
  }
  return eventLog.placeBefore(db, at);
}
