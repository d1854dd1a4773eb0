import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { registerErrorHandler } from '../../api/plugins/error-handler.ts';
import { endTurn, registerHangUps, registerTurns } from '../../api/plugins/turns.ts';
import { testApp, testDeps } from '../support/api/test-app.ts';
import { eventually } from '../support/platform/eventually.ts';

/** More than the buffers of a connection hold. */
const LARGE = 'a'.repeat(30_000_000);
const BUSY = { 'x-busy-client': '1' };
const oneEach = (patienceMs: number) => {
  const one = { inAll: 1, patienceMs };
  return { busy: one, document: one, read: one, prepare: one, submit: one };
};

/** Requests for one turn of each kind, by the work for them. */
const KINDS = {
  busy: { path: '', init: { headers: BUSY } },
  document: { path: '/document', init: { headers: BUSY } },
  read: { path: '', init: {} },
  prepare: { path: '/prepare', init: { method: 'POST' } },
  submit: { path: '/submit', init: { method: 'POST' } },
} as const;
type Kind = keyof typeof KINDS;

/** Parts of streamed documents that were made. */
let made = 0;

function streamed(): Readable {
  async function* parts() {
    for (let part = 0; part < 30; part += 1) {
      made += 1;
      yield LARGE.slice(0, 1_000_000);
    }
  }
  return Readable.from(parts(), { objectMode: false });
}

/** Ends the work for requests below /held that has begun. */
const held: (() => void)[] = [];
let app: ReturnType<typeof createApp> | undefined;
afterEach(async () => {
  for (const end of held.splice(0)) end();
  await app?.close();
});

function createApp() {
  return Fastify({
    loggerInstance: testDeps().logger,
    forceCloseConnections: true,
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/** `beforeBody` is awaited between a request's turn and the reading of its body. */
async function startApi(patienceMs = 10_000, beforeBody = async (): Promise<void> => undefined): Promise<string> {
  app = createApp();
  registerErrorHandler(app);
  registerTurns(app, oneEach(patienceMs));
  app.addHook('onRequest', beforeBody);
  registerHangUps(app);
  const hold = () => new Promise<string>((resolve) => held.push(() => resolve('held')));
  app.get('/held', hold);
  const document = { config: { isDocument: true } };
  app.get('/held/document', document, hold);
  app.get('/document', document, (_request, reply) => reply.send(streamed()));
  app.post('/wait/submit', async (request) => {
    endTurn(request);
    return hold();
  });
  for (const path of ['prepare', 'submit']) app.post(`/held/${path}`, hold);
  app.get('/large', async () => LARGE);
  app.get('/', async () => 'read');
  for (const path of ['prepare', 'submit']) app.post(`/${path}`, async () => 'done');
  app.get('/probe', { config: { isProbe: true } }, async () => 'well');
  return app.listen({ host: '127.0.0.1', port: 0 });
}

const hold = (url: string, kind: Kind) => fetch(`${url}/held${KINDS[kind].path}`, KINDS[kind].init);
const ask = (url: string, kind: Kind) => fetch(`${url}${KINDS[kind].path || '/'}`, KINDS[kind].init);
const workBegun = (count: number, what: string) => eventually(async () => (held.length === count ? true : null), what);

/** Sends a read of a busy client; its response is not read. */
function open(url: string, path: string): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) }).pause();
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nx-busy-client: 1\r\n\r\n`);
  return socket;
}

test('reads of busy clients are served one after the other', async () => {
  const url = await startApi();
  const many = Array.from({ length: 3 }, async () => (await hold(url, 'busy')).text());
  for (const turn of [1, 2, 3]) {
    await workBegun(1, `turn ${turn}`);
    expect(await (await ask(url, 'read')).text()).toBe('read');
    expect(held.length).toBe(1);
    held.pop()?.();
  }
  expect(await Promise.all(many)).toEqual(['held', 'held', 'held']);
});

test.each(Object.keys(KINDS) as Kind[])('all turns of %s requests take none of others, nor of probes', async (kind) => {
  const url = await startApi();
  const first = hold(url, kind);
  await workBegun(1, 'the held request');
  const second = ask(url, kind);
  const others = (Object.keys(KINDS) as Kind[]).filter((other) => other !== kind);
  for (const other of others) expect((await ask(url, other)).status).toBe(200);
  expect((await fetch(`${url}/probe`)).status).toBe(200);
  held.pop()?.();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
});

test('a client that does not take its response holds up no other', async () => {
  const url = await startApi();
  const unread = open(url, '/large');
  expect(await (await ask(url, 'busy')).text()).toBe('read');
  expect(unread.destroyed).toBe(false);
});

test('a document keeps its turn until it is read or its client is gone, and no busy client waits for it', async () => {
  const url = await startApi();
  const unread = open(url, '/document');
  await eventually(
    async () => (unread.bytesRead > 0 || unread.readableLength > 0 || made > 0 ? true : null),
    'its begin',
  );
  let isAnswered = false;
  const next = ask(url, 'document').then((answer) => ((isAnswered = true), answer.text()));
  expect((await ask(url, 'busy')).status).toBe(200);
  expect(isAnswered).toBe(false);
  unread.destroy();
  expect((await next).length).toBe(30_000_000);
  expect((await (await ask(url, 'document')).text()).length).toBe(30_000_000);
});

test('HEAD makes no part of a document', async () => {
  const url = await startApi();
  made = 0;
  expect((await fetch(`${url}/document`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${url}/document`, { method: 'HEAD' })).status).toBe(200);
  expect(made).toBe(0);
});

test('a request that only waits has no turn', async () => {
  const url = await startApi();
  const waiting = fetch(`${url}/wait/submit`, { method: 'POST' });
  await workBegun(1, 'the wait');
  expect((await ask(url, 'submit')).status).toBe(200);
  held.pop()?.();
  expect((await waiting).status).toBe(200);
});

test('a client that hangs up in the queue gives its place up, and no work is done for it', async () => {
  const url = await startApi();
  const first = hold(url, 'busy');
  await workBegun(1, 'the first turn');
  const hungUp = open(url, '/held');
  await eventually(async () => ((await connections()) >= 2 ? true : null), 'a second request');
  hungUp.destroy();
  await eventually(async () => ((await connections()) === 1 ? true : null), 'the end of its connection');
  held.pop()?.();
  expect((await first).status).toBe(200);
  expect((await ask(url, 'busy')).status).toBe(200);
  expect(held).toEqual([]);
});

test.each(['prepare', 'submit'])('a client that hangs up before its %s is read keeps no turn', async (kind) => {
  const waiting = Promise.withResolvers<void>();
  let begun = 0;
  const url = await startApi(1_000, async () => {
    begun += 1;
    if (begun === 1) await waiting.promise;
  });
  const hungUp = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  onTestFinished(() => void hungUp.destroy());
  hungUp.write(`POST /${kind} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{}`);
  await eventually(async () => (begun === 1 ? true : null), 'a request with a turn');
  hungUp.destroy();
  await eventually(async () => ((await connections()) === 0 ? true : null), 'the end of its connection');
  waiting.resolve();
  expect((await fetch(`${url}/${kind}`, { method: 'POST' })).status).toBe(200);
});

test('a POST to no route takes no turn of those that prepare', async () => {
  const url = await startApi(1_000);
  const prepare = fetch(`${url}/held/prepare`, { method: 'POST' });
  await workBegun(1, 'the work for a prepare');
  expect((await fetch(`${url}/nothing-here`, { method: 'POST' })).status).toBe(404);
  held.pop()?.();
  expect((await prepare).status).toBe(200);
});

test('a client that hangs up during the work has its turn until the work ends', async () => {
  const url = await startApi();
  const hungUp = open(url, '/held');
  await workBegun(1, 'a read that will be hung up');
  hungUp.destroy();
  await eventually(async () => ((await connections()) === 0 ? true : null), 'the end of its connection');
  const next = hold(url, 'busy');
  expect((await ask(url, 'read')).status).toBe(200);
  expect(held.length).toBe(1);
  held.pop()?.();
  await workBegun(1, 'the next turn');
  held.pop()?.();
  expect((await next).status).toBe(200);
});

test('a client whose turn does not come is told when to ask again', async () => {
  const url = await startApi(50);
  const first = hold(url, 'busy');
  await workBegun(1, 'the first turn');
  const second = await ask(url, 'busy');
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await second.json()).toMatchObject({ error: { code: 'service_unavailable', retryable: true } });
  held.pop()?.();
  await first;
  expect((await ask(url, 'busy')).status).toBe(200);
});

test('pages of other sites may read that no turn came', async () => {
  const api = await testApp({ turns: { ...oneEach(50), busy: { inAll: 0, patienceMs: 50 } } });
  onTestFinished(() => api.close());
  const { statusCode, headers } = await api.inject({ url: '/api/public/v1/stats', headers: BUSY });
  expect([statusCode, headers['access-control-allow-origin']]).toEqual([503, '*']);
});

function connections(): Promise<number> {
  return new Promise((resolve) => app?.server.getConnections((_error, all) => resolve(all)));
}
