import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BASE_PATH } from '../../api/base-path.ts';
import { createBoundedServer } from '../../observe/bounded-server.ts';
import { HAPROXY } from '../support/deploy/proxy.ts';
import { type Asked, type Replaced, type RunningProxy, startRunningProxy } from '../support/deploy/running-proxy.ts';
import { STREAM_PATH, STREAM_SPELLINGS } from '../support/deploy/stream-paths.ts';
import { eventually } from '../support/platform/eventually.ts';

/** Places for streams of an API, small enough to take them all. */
const PLACES = 4;
const SMALLER: Replaced = [
  ['sc1_gpc1_rate(clients) gt 50', 'sc1_gpc1_rate(clients) gt 10'],
  ['maxconn 900', `maxconn ${PLACES}`],
];

/** Makes a client one of its class: addresses of loopback. */
const CLASSES = {
  quiet: { from: '127.0.0.20', requests: 0 },
  busy: { from: '127.0.0.30', requests: 15 },
} as const;
type Class = keyof typeof CLASSES;

/** Requests that an API answers late. */
const HELD = {
  stream: { path: STREAM_PATH, method: 'GET' },
  submit: { path: `${BASE_PATH}/launches/submit`, method: 'POST' },
} as const satisfies Record<string, Asked>;
type Held = keyof typeof HELD;

/** Requests that an API answers at once. */
const SHORT: Readonly<Record<string, Asked>> = {
  read: { path: `${BASE_PATH}/stats` },
  page: { path: '/' },
  prepare: { path: `${BASE_PATH}/launches/prepare`, method: 'POST' },
};

const MATRIX = (Object.keys(CLASSES) as Class[]).flatMap((holder) =>
  (Object.keys(HELD) as Held[]).flatMap((held) =>
    (Object.keys(CLASSES) as Class[]).map((asker) => [holder, held, asker] as const),
  ),
);

describe.skipIf(HAPROXY === undefined)('behind the proxy of the set-up', () => {
  let [api, proxy]: [Server | undefined, RunningProxy | undefined] = [undefined, undefined];
  /** Answers that have begun, or will begin when a test says so. */
  const open: ServerResponse[] = [];
  const heads: IncomingMessage[] = [];

  beforeAll(async () => {
    const bounds = { connections: 1_000, headersMs: 60_000, requestMs: 60_000, idleMs: 60_000 };
    api = createBoundedServer(bounds, ({ url = '', headers }, response) => {
      if (headers['x-hold'] === undefined) return void response.end(String(headers['x-busy-client']));
      open.push(response);
      if (url.includes('stream')) response.writeHead(200, { 'content-type': 'text/event-stream' }).write('\n');
    });
    await new Promise<void>((resolve) => api?.listen(0, '127.0.0.1', resolve));
    const address = api.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    proxy = await startRunningProxy([`http://127.0.0.1:${port}`], SMALLER);
    for (const { from, requests } of Object.values(CLASSES))
      for (let count = 0; count < requests; count += 1) await ask({ from, path: `${BASE_PATH}/stats` });
  });
  afterEach(async () => {
    for (const response of open.splice(0)) response.end();
    for (const head of heads.splice(0)) head.destroy();
  });
  afterAll(() => {
    proxy?.stop();
    api?.closeAllConnections();
    api?.close();
  });

  const ask = async (asked: Asked) => (await proxy?.ask(asked))?.status;

  /** Takes all places of a kind of requests. */
  async function hold(held: Asked): Promise<void> {
    const before = open.length;
    for (let place = 0; place < PLACES; place += 1) {
      const taken = proxy?.open({ ...held, headers: { 'x-hold': 'yes' } });
      taken?.then((head) => heads.push(head)).catch(() => undefined);
    }
    await eventually(async () => (open.length >= before + PLACES ? true : null), `${PLACES} held requests`);
  }

  test.each(MATRIX)('%s clients that hold all places of a %s take none of what %s clients ask', async (...row) => {
    const [holder, held, asker] = row;
    await hold({ ...HELD[held], from: CLASSES[holder].from });
    const { from } = CLASSES[asker];
    const others = Object.entries(HELD).filter(([name]) => name !== held);
    for (const [name, asked] of [...Object.entries(SHORT), ...others])
      expect([name, await ask({ ...asked, from })]).toEqual([name, 200]);
  });

  test.each(STREAM_SPELLINGS)('a stream asked for as %s is known as one', async (path) => {
    await hold(HELD.stream);
    const refused = await proxy?.ask({ path });
    expect([refused?.status, refused?.headers['retry-after']]).toEqual([503, '10']);
    expect(JSON.parse(refused?.body ?? '')).toMatchObject({ error: { code: 'service_unavailable' } });
  });

  test('an API is told which clients are busy, by the proxy alone', async () => {
    const said = async (from: string) =>
      (await proxy?.ask({ from, path: `${BASE_PATH}/stats`, headers: { 'x-busy-client': 'yes' } }))?.body;
    expect(await said('127.0.0.50')).toBe('undefined');
    expect(await said(CLASSES.busy.from)).toBe('1');
  });

  test('a stream that was closed gives its place back', async () => {
    await hold(HELD.stream);
    await eventually(async () => (heads.length === PLACES ? true : null), 'the begun streams');
    heads.splice(0).forEach((head) => head.destroy());
    await eventually(async () => ((await ask(HELD.stream)) === 200 ? true : null), 'a place for a stream');
  });

  test('an API learns that a client has hung up', async () => {
    const busy = { from: CLASSES.busy.from, path: '/', headers: { 'x-hold': 'yes' } };
    const hangUp = await proxy?.hangUp(busy);
    const held = await eventually(async () => open[0] ?? null, 'a held read');
    const closed = once(held, 'close');
    await hangUp?.();
    await closed;
  });
});
