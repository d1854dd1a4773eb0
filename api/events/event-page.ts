import Type from 'typebox';
import type { Db } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import type { EventPage } from '../../db/events/event-log.ts';
import type { EventFilter, EventPlace, StoredEvent } from '../../domain/events/stored-event.ts';
import { eventMessages } from '../../db/events/event-messages.ts';
import { fromCursor, toCursor } from '../../domain/events/event-cursor.ts';
import { EVENT_TYPES, type EventType, eventTypeOf } from '../../domain/events/event-types.ts';
import { ExtendedAppError, MalformedError } from '../errors.ts';
import { AddressSchema } from '../schemas/parameters.ts';
import type { EventAnswer } from './events.schema.ts';

export const eventFilterParameters = {
  types: Type.Optional(
    Type.String({
      pattern: '^[a-z_.]{1,40}(,[a-z_.]{1,40}){0,29}$',
      description: `Only events of these types, separated by commas: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}`,
      'x-must': 'types of events, separated by commas',
    }),
  ),
  mint: Type.Optional(Type.String({ ...AddressSchema, description: 'Only events of this token or pair' })),
  wallet: Type.Optional(Type.String({ ...AddressSchema, description: 'Only events about this wallet' })),
  creator: Type.Optional(Type.String({ ...AddressSchema, description: 'Only events of tokens of this creator' })),
};

interface FilterParameters extends Omit<EventFilter, 'types'> {
  readonly types?: string | undefined;
}

/** @throws MalformedError for an unknown type */
export function filterOf({ types, mint, wallet, creator }: FilterParameters): EventFilter {
  return { types: typesOf(types), mint, wallet, creator };
}

function typesOf(text: string | undefined): readonly EventType[] | undefined {
  if (text === undefined) return undefined;
  try {
    return text.split(',').map(eventTypeOf);
  } catch (error) {
    if (error instanceof RangeError) throw new MalformedError(`query parameter "types": ${error.message}`);
    throw error;
  }
}

/** @throws MalformedError for text that is no cursor */
export async function placeOf(db: Db, after: string, name = 'query parameter "after"'): Promise<EventPlace | null> {
  if (after === 'oldest') return null;
  if (after === 'now') return eventLog.end(db);
  const place = fromCursor(after);
  if (place !== null) return place;
  throw new MalformedError(`${name} is neither a cursor of an earlier answer nor \`oldest\` nor \`now\``);
}

/** @throws ExtendedAppError `not_found` with the cursor at which to begin again */
export async function pageAfter(
  db: Db,
  place: EventPlace | null,
  filter: EventFilter,
  limit: number,
): Promise<EventPage> {
  try {
    return await eventLog.readAfter(db, place, filter, limit);
  } catch (error) {
    if (!(error instanceof eventLog.LostPlaceError)) throw error;
    const message = `${error.message}; begin again at oldestCursor`;
    throw new ExtendedAppError('not_found', message, { oldestCursor: toCursor(error.oldest) });
  }
}

/** The compiler compares messages with the schema of the answer. */
export function eventAnswers(db: Db, events: readonly StoredEvent[], siteUrl: string): Promise<readonly EventAnswer[]> {
  return eventMessages(db, events, siteUrl);
}
