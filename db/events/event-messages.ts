import { type EventMessage, eventMessage } from '../../domain/events/event-message.ts';
import type { StoredEvent } from '../../domain/events/stored-event.ts';
import type { Db } from '../connect.ts';
import { mintsOf } from './event-mints.ts';

/** Events as all readers get them, with the names and decimals of their tokens. */
export async function eventMessages(
  db: Db,
  events: readonly StoredEvent[],
  siteUrl: string,
): Promise<readonly EventMessage[]> {
  if (events.length === 0) return [];
  const mints = await mintsOf(db, [...new Set(events.flatMap(({ mint }) => mint ?? []))]);
  return events.map((event) => eventMessage(event, { mints, siteUrl }));
}
