import Type, { type Static } from 'typebox';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter } from '../schemas/parameters.ts';
import { toCursor } from '../../domain/events/event-cursor.ts';
import { eventAnswers, eventFilterParameters, filterOf, pageAfter, placeOf } from './event-page.ts';
import { EventsSchema, goneFields } from './events.schema.ts';

const EventsQuerySchema = Type.Object(
  {
    ...limitParameter,
    after: Type.String({
      minLength: 1,
      maxLength: 300,
      default: 'oldest',
      description:
        '`data.pagination.nextCursor` of the answer before this one, or the `id` of an event; `oldest`: all that is kept; ' +
        '`now`: only what is recorded from now on',
    }),
    ...eventFilterParameters,
  },
  { additionalProperties: false },
);

const schema = {
  tags: ['Data'],
  operationId: 'listEvents',
  summary: 'Events',
  description:
    'Everything that happened, oldest first, each event once and none left out: read a page, keep `nextCursor`, read on. ' +
    'A fork is told: what it takes back is withdrawn. Events are kept for 30 days unless the operator says otherwise; an ' +
    'older cursor is 404 with `oldestCursor`. `/events/stream` sends the same events as they come.',
  querystring: EventsQuerySchema,
  response: responses(EventsSchema, { not_found: goneFields }),
};

/** Readers ask for a page behind a cursor again until it grows. */
const LIFE: ReadLife = { memorySeconds: 1, seconds: 1, staleSeconds: 1, entries: 1_000 };

type EventsInput = Static<typeof EventsQuerySchema>;

export function eventsGet(app: ApiInstance, { db, config }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ after, limit, ...among }: EventsInput) => {
    const filter = filterOf(among);
    const place = await placeOf(db, after);
    const { events, next, hasMore } = await pageAfter(db, place, filter, limit);
    const data: Static<typeof EventsSchema> = {
      events: [...(await eventAnswers(db, events, config.siteUrl))],
      pagination: { limit, hasMore, nextCursor: toCursor(next) },
    };
    return { data };
  });
  app.get('/events', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}
