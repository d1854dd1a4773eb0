import type { Db } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import { type Asker, createPlaces } from '../../domain/places.ts';
import { eventAnswers } from './event-page.ts';
import type { StreamParts } from './event-stream.ts';

/** Events of one read. */
const PAGE = 100;

/** Reads at once, of all streams. A client can let its streams read the whole log, again and again. */
export const READS_AT_ONCE = 2;

/** Reads the log for streams that catch up, fairly by client. Requests need connections to the database meanwhile. */
export function createLogReader(db: Db, siteUrl: string): (asker: Asker) => StreamParts['read'] {
  const places = createPlaces({ inAll: READS_AT_ONCE });
  return (asker) => (place, filter) =>
    places.take(asker, async () => {
      const { events, next, hasMore } = await eventLog.readAfter(db, place, filter, PAGE);
      return { answers: await eventAnswers(db, events, siteUrl), next, hasMore };
    });
}
