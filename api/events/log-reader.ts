import type { Db } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import { createPlaces } from '../../domain/places.ts';
import { eventAnswers } from './event-page.ts';
import type { StreamParts } from './event-stream.ts';

/** Events of one read. */
const PAGE = 100;

/** Reads at once, of all streams. A client can let its streams read the whole log, again and again. */
export const READS_AT_ONCE = 2;

/** Reads the log for streams that catch up. Requests of others need connections to the database meanwhile. */
export function createLogReader(db: Db, siteUrl: string): StreamParts['read'] {
  return limited(READS_AT_ONCE, async (place, filter) => {
    const { events, next, hasMore } = await eventLog.readAfter(db, place, filter, PAGE);
    return { answers: await eventAnswers(db, events, siteUrl), next, hasMore };
  });
}

/** Runs `atOnce` calls at a time, in the order in which they came. */
export function limited<Args extends readonly unknown[], Result>(
  atOnce: number,
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const places = createPlaces(atOnce);
  return (...args) => places.take(() => run(...args));
}
