import { Readable } from 'node:stream';
import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { createPlaces, type UsedUp } from '../../domain/places.ts';
import { askerOf } from '../asker.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { EventHub } from './event-hub.ts';
import { eventFilterParameters, filterOf, pageAfter, placeOf } from './event-page.ts';
import { streamText } from './event-stream.ts';
import { createLogReader } from './log-reader.ts';
import { resumePlaceOf } from './resume-place.ts';
import { STREAM_SETTINGS, type StreamSettings } from './stream-settings.ts';

const StreamQuerySchema = Type.Object(
  { after: Type.String({ minLength: 1, maxLength: 300, default: 'now' }), ...eventFilterParameters },
  { additionalProperties: false },
);

/** Its success is no JSON object, which the document's successes are. docs/events.md has it. */
const schema = { hide: true, querystring: StreamQuerySchema };

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // For nginx, which would collect the text otherwise.
  'x-accel-buffering': 'no',
  // An ended stream must not keep its connection: the client's next one may go to another process, and this one may be closing.
  connection: 'close',
};

/** Server-sent events: the log from the client's last event on, or from `after`. */
export function eventStreamGet(app: ApiInstance, deps: ApiDeps): void {
  const { db, config, logger } = deps;
  const { pace, limits } = deps.streams ?? STREAM_SETTINGS;
  const read = createLogReader(db, config.siteUrl);
  const hub = new EventHub(db, config.siteUrl, logger);
  const places = createPlaces({ ...limits, mostWaiting: 0 }, (usedUp) => REFUSALS[usedUp](limits));
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  app.get('/events/stream', { schema, config: { isStream: true } }, async (request, reply) => {
    const filter = filterOf(request.query);
    const last = resumePlaceOf(request);
    const from = await (last === undefined ? placeOf(db, request.query.after) : placeOf(db, last, 'the last event id'));
    // A cursor that is too old is an error and no stream.
    await pageAfter(db, from, filter, 1);
    void reply.headers(HEADERS);
    if (request.method === 'HEAD') return reply.send('');
    const asker = askerOf(request, reply);
    const giveBack = await places.hold(asker);
    const end = AbortSignal.any([closing.signal, asker.gone, AbortSignal.timeout(pace.lifeMs)]);
    const parts = { read: read(asker), hub, beatMs: pace.beatMs };
    const text = watched(streamText(parts, from, filter, end), pace.stallMs);
    text.once('close', giveBack);
    return reply.send(text);
  });
}

const retryAfterSeconds = 10;

const REFUSALS: Readonly<Record<UsedUp, (limits: StreamSettings['limits']) => AppError>> = {
  perClient: ({ perClient }) =>
    new AppError('rate_limited', `${perClient} streams are open from this address; close one first`, {
      retryAfterSeconds,
    }),
  inAll: () =>
    new AppError('service_unavailable', 'too many streams are open; read GET /events meanwhile', { retryAfterSeconds }),
};

/** A stream whose client takes nothing for `stallMs` is destroyed, with its connection. */
function watched(text: AsyncGenerator<string>, stallMs: number): Readable {
  const readable = Readable.from(timed(), { objectMode: false });
  async function* timed(): AsyncGenerator<string> {
    for await (const part of text) {
      const timer = setTimeout(() => readable.destroy(new Error('the client reads too slowly')), stallMs);
      try {
        yield part;
      } finally {
        clearTimeout(timer);
      }
    }
  }
  return readable;
}
