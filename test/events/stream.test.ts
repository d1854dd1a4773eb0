import { connect as connectSocket, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import * as eventDays from '../../db/events/event-days.ts';
import { toCursor } from '../../domain/events/event-cursor.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { eventually } from '../support/platform/eventually.ts';
import { factFixture, trade } from '../support/events/every-fact.ts';
import { readAll, untilVisible } from '../support/events/read-events.ts';
import { STREAM_SPELLINGS } from '../support/deploy/stream-paths.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const pace = { beatMs: 50, lifeMs: 60_000, stallMs: 60_000 };
const limits = { perClient: 3, inAll: 10 };
const streams = { pace, limits };
const market = useMarketApp(() => ({ streams }));

interface Sent {
  readonly id: string;
  readonly type: string;
  readonly mint: string | null;
}

/** A client as a browser's EventSource: it collects events and knows its last id. */
interface Reader {
  readonly events: Sent[];
  /** Blocks that are no events. */
  readonly beats: readonly string[];
  readonly lastId: () => string;
  readonly status: number;
  /** Resolves when the server ended the stream. */
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

const open = new Set<Reader>();
afterEach(() => {
  for (const reader of open) reader.stop();
  open.clear();
});

async function origin(): Promise<string> {
  const app = market.app();
  const known = app.server.address();
  if (known !== null && typeof known === 'object') return `http://127.0.0.1:${known.port}`;
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function follow(query = '', lastEventId?: string): Promise<Reader> {
  const stop = new AbortController();
  const answer = await fetch(`${await origin()}/api/public/v1/events/stream${query}`, {
    signal: stop.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  });
  const [events, beats]: [Sent[], string[]] = [[], []];
  let last = lastEventId ?? '';
  const collect = async () => {
    let rest = '';
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + part).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]),
        );
        last = fields.get('id') ?? last;
        if (fields.has('event')) beats.push(block);
        else if (fields.has('data')) events.push(JSON.parse(fields.get('data')!) as Sent);
      }
    }
  };
  const ended = answer.status === 200 ? collect().catch(() => {}) : Promise.resolve();
  const reader = { events, beats, lastId: () => last, status: answer.status, ended, stop: () => stop.abort() };
  open.add(reader);
  return reader;
}

const until = (reader: Reader, count: number) =>
  eventually(async () => (reader.events.length >= count ? reader.events : null), `${count} events on the stream`);

test('a stream sends what the log holds from its cursor on, and then what comes, each event once', async () => {
  const ground = await factFixture(market.db());
  await untilVisible(market.db());
  const reader = await follow('?after=oldest');
  const before = (await readAll(market.db())).length;
  await until(reader, before);
  await trade(market.db(), ground);
  const stored = await readAll(market.db());
  await until(reader, stored.length);
  expect(reader.events.map(({ type, mint }) => [type, mint])).toEqual(stored.map(({ type, mint }) => [type, mint]));
  expect(reader.lastId()).not.toBe('');
});

test('a client that connects again with its last id misses nothing and gets nothing twice', async () => {
  const first = await follow();
  await eventually(async () => first.lastId() || null, 'a first sign of life');
  const seen: Sent[] = [];
  const count = 5 * 8;
  let lastId = first.lastId();
  first.stop();
  const writing = (async () => {
    for (let n = 0; n < 5; n += 1) await trade(market.db(), await factFixture(market.db()));
  })();
  for (let cut = 0; cut < 4; cut += 1) {
    const reader = await follow('', lastId);
    // A stream may deliver all that is stored before it is cut; then nothing is left for the next.
    await until(reader, Math.min(3, count - seen.length));
    reader.stop();
    await reader.ended;
    seen.push(...reader.events);
    lastId = reader.lastId();
  }
  await writing;
  const place = first.lastId();
  const last = await follow('', lastId);
  const whole = await follow(`?after=${place}`);
  await until(whole, count);
  await until(last, count - seen.length);
  expect([...seen, ...last.events].map(({ id }) => id)).toEqual(whole.events.map(({ id }) => id));
});

test('a sign of life has a name, JSON data and the cursor, and no block is without data', async () => {
  const reader = await follow('?types=burn');
  await eventually(async () => (reader.beats.length >= 3 ? true : null), 'signs of life');
  const lines = reader.beats.map((block) => block.split('\n').filter((line) => !line.startsWith('id: ')));
  const beat = ['event: heartbeat', 'data: {"type":"heartbeat"}'];
  expect(lines).toEqual([['retry: 1000', ...beat], ...lines.slice(1).map(() => beat)]);
  expect(reader.beats.every((block) => block.includes(`\nid: ${reader.lastId()}\n`))).toBe(true);
});

/** Spellings of clients in the field. */
const SPELLINGS = [
  'Last-Event-ID',
  'lastEventId',
  'lastEventID',
  'last_event_id',
  'LAST-EVENT-ID',
  'evs_last_event_id',
];

async function cursors(): Promise<[string, string]> {
  await trade(market.db(), await factFixture(market.db()));
  await untilVisible(market.db());
  const stored = await readAll(market.db());
  return [toCursor(stored.at(-2)!.place), toCursor(stored.at(-1)!.place)];
}

const asked = async (query: string, headers: Record<string, string> = {}) => {
  const stop = new AbortController();
  const url = `${await origin()}/api/public/v1/events/stream?${query}`;
  const { status, body } = await fetch(url, { headers, signal: stop.signal });
  let first = '';
  for await (const part of body!.pipeThrough(new TextDecoderStream())) {
    first = part;
    break;
  }
  stop.abort();
  return [status, first] as const;
};

test.each(SPELLINGS)('a client resumes by %s, in the query and in a header', async (name) => {
  const [place] = await cursors();
  for (const answer of [await asked(`after=now&${name}=${place}`), await asked('', { [name]: place })])
    expect(answer).toEqual([200, expect.stringContaining(`id: ${place}\n`)]);
});

test('of two places that differ neither is taken, but a client that connects again keeps its URL', async () => {
  const [earlier, later] = await cursors();
  expect((await asked(`lastEventId=${earlier}&last_event_id=${later}`))[0]).toBe(400);
  expect((await asked(`lastEventId=${later}`, { 'last-event-id': earlier }))[0]).toBe(400);
  for (const begun of [earlier, 'now', 'oldest', later])
    expect(await asked(`lastEventId=${begun}`, { 'last-event-id': later })).toEqual([
      200,
      expect.stringContaining(`id: ${later}\n`),
    ]);
  expect((await asked(`lastEventId=${earlier}&LASTEVENTID=${earlier}&last=${later}&event_id=x`))[0]).toBe(200);
});

test('filters hold for what the log has and for what comes', async () => {
  const ground = await factFixture(market.db());
  await trade(market.db(), ground);
  await untilVisible(market.db());
  const reader = await follow(`?after=oldest&mint=${ground.mint}&types=trade.final,token.launched`);
  await until(reader, 2);
  await factFixture(market.db());
  await market.db().updateTable('poolCursors').set({ finalizedSlot: 0n }).where('mint', '=', ground.mint).execute();
  await trade(market.db(), ground);
  await until(reader, 3);
  expect(reader.events.map(({ type }) => type).slice(0, 2)).toEqual(['token.launched', 'trade.final']);
  expect(reader.events.every(({ mint }) => mint === ground.mint)).toBe(true);
});

test.each(STREAM_SPELLINGS)('the stream is asked for as %s, which the proxy of the set-up knows too', async (path) => {
  const stop = new AbortController();
  const answer = await fetch(`${await origin()}${path}`, { signal: stop.signal });
  expect(answer.headers.get('content-type')).toMatch('text/event-stream');
  stop.abort();
});

test('an address has a few streams at once, and its place again when it closes one', async () => {
  const readers = [await follow(), await follow(), await follow()];
  expect((await follow()).status).toBe(429);
  readers[0]!.stop();
  await eventually(async () => ((await follow()).status === 200 ? true : null), 'a free place');
});

test('a stream ends itself, and with the process', async () => {
  pace.lifeMs = 300;
  const reader = await follow();
  pace.lifeMs = 60_000;
  await reader.ended;
  expect(reader.status).toBe(200);
});

test('a stream of a cursor that is too old is an error before it begins', async () => {
  const reader = await follow();
  await eventually(async () => reader.lastId() || null, 'a first sign of life');
  await eventDays.renew(market.db());
  const answer = await market.app().inject({
    url: '/api/public/v1/events/stream',
    headers: { 'last-event-id': reader.lastId() },
  });
  expect([answer.statusCode, errorOf(answer).code]).toEqual([404, 'not_found']);
  // The stream that was open is cut, so that its client learns it.
  await reader.ended;
  const refused = await market.app().inject('/api/public/v1/events/stream?types=trade.lost');
  expect(refused.statusCode).toBe(400);
});

test('a client that takes nothing is cut off, and holds no more than a bound meanwhile', async () => {
  pace.stallMs = 300;
  const start = await follow();
  await eventually(async () => start.lastId() || null, 'a first sign of life');
  start.stop();
  const { port } = new URL(await origin());
  const served = Promise.withResolvers<Socket>();
  market.app().server.once('connection', served.resolve);
  const client = connectSocket(Number(port), '127.0.0.1');
  const serverSide = await served.promise;
  const cut = new Promise<void>((resolve) => void serverSide.once('close', () => resolve()));
  client.pause();
  client.write(`GET /api/public/v1/events/stream?after=${start.lastId()} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await sql`insert into events (type, body) select 'pair.added', jsonb_build_object('symbol', 'S', 'category', 'c', 'name', repeat('n', 2000))
    from generate_series(1, 10000)`.execute(market.db());
  await cut;
  // All else that the process holds for it is a full buffer of its socket and of its text.
  expect(serverSide.writableLength).toBeLessThan(1_000_000);
  pace.stallMs = 60_000;
  client.destroy();
});
