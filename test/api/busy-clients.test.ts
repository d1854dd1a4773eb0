import { connect } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { registerBusyClients } from '../../api/plugins/busy-clients.ts';
import { registerErrorHandler } from '../../api/plugins/error-handler.ts';
import { testDeps } from '../support/api/test-app.ts';
import { eventually } from '../support/platform/eventually.ts';

/** More than the buffers of a connection hold. */
const LARGE = 'a'.repeat(30_000_000);
const BUSY = { 'x-busy-client': '1' };

/** Ends the reads of /held that have begun. */
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

async function startApi(patienceMs?: number): Promise<string> {
  app = createApp();
  registerErrorHandler(app);
  registerBusyClients(app, patienceMs);
  app.get('/held', () => new Promise<string>((resolve) => held.push(() => resolve('held'))));
  app.get('/large', async () => LARGE);
  app.get('/', async () => 'read');
  return app.listen({ host: '127.0.0.1', port: 0 });
}

test('reads of busy clients are served one after the other, and those of others beside them', async () => {
  const url = await startApi();
  const many = Array.from({ length: 3 }, async () => (await fetch(`${url}/held`, { headers: BUSY })).text());
  for (const turn of [1, 2, 3]) {
    await eventually(async () => (held.length === 1 ? true : null), `turn ${turn}`);
    expect(await (await fetch(url)).text()).toBe('read');
    expect(held.length).toBe(1);
    held.pop()?.();
  }
  expect(await Promise.all(many)).toEqual(['held', 'held', 'held']);
});

test('a busy client that does not take its response, or hangs up, holds up no other', async () => {
  const url = await startApi();
  const open = (path: string) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) }).pause();
    onTestFinished(() => void socket.destroy());
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nx-busy-client: 1\r\n\r\n`);
    return socket;
  };
  const unread = open('/large');
  const hungUp = open('/held');
  await eventually(async () => (held.length === 1 ? true : null), 'a read that will be hung up');
  hungUp.destroy();
  expect(await (await fetch(url, { headers: BUSY })).text()).toBe('read');
  expect(unread.destroyed).toBe(false);
});

test('a busy client whose turn does not come is told when to ask again', async () => {
  const url = await startApi(50);
  const first = fetch(`${url}/held`, { headers: BUSY });
  await eventually(async () => (held.length === 1 ? true : null), 'the first turn');
  const second = await fetch(url, { headers: BUSY });
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await second.json()).toMatchObject({ error: { code: 'service_unavailable', retryable: true } });
  held.pop()?.();
  await first;
  expect((await fetch(url, { headers: BUSY })).status).toBe(200);
});
