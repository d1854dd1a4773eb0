import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { clientOf } from '../client-address.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { peerAddressOf } from '../peer-address.ts';
import { EventHub } from './event-hub.ts';
import { eventFilterParameters, filterOf, pageAfter, placeOf } from './event-page.ts';
import { streamText } from './event-stream.ts';
import { createLogReader } from './log-reader.ts';
import { resumePlaceOf } from './resume-place.ts';
import { createStreamPlaces } from './stream-places.ts';
import { STREAM_SETTINGS } from './stream-settings.ts';

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
  const parts = { read, hub: new EventHub(db, config.siteUrl, logger), beatMs: pace.beatMs };
  const takePlace = createStreamPlaces(limits);
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
    const giveBack = takePlace(clientOf(peerAddressOf(request)));
    const end = AbortSignal.any([closing.signal, goneOf(reply), AbortSignal.timeout(pace.lifeMs)]);
    const text = watched(streamText(parts, from, filter, end), pace.stallMs);
    text.once('close', giveBack);
    return reply.send(text);
  });
}

function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}

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
