import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAdminServer } from '../../dev/block-engine/admin-server.ts';
import { createFaultSwitch } from '../../dev/block-engine/fault.ts';
import { startLocalnet } from '../../dev/localnet/index.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { openUiGate } from '../../dev/stack/temporal/ui-gate.ts';
import { startAnsweringServer } from '../support/answering-server.ts';

/** A listener of this machine: its port, and a request that uses its powers. */
interface Listener {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly body: string;
}

const RPC_BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
const listeners = new Map<string, Listener>();
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  const here = await startLocalnet({ slotMs: 0 });
  const contained = await startLocalnet({ slotMs: 0, host: '0.0.0.0' });
  const engine = await openAdminServer(
    createFaultSwitch(() => undefined),
    { port: 0 },
  );
  const ui = await startAnsweringServer();
  const uiPort = await freePort();
  const closeUi = await openUiGate({ ip: '127.0.0.1', port: Number(new URL(ui.url).port) }, uiPort);
  open.push(here, contained, engine, ui, { close: closeUi });
  const all: Listener[] = [
    { name: 'chain', port: here.port, path: '/', body: RPC_BODY },
    { name: 'chain in a container', port: contained.port, path: '/', body: RPC_BODY },
    { name: 'block engine', port: engine.port, path: '/fault', body: '{"fault":"drop"}' },
    { name: 'UI of Temporal', port: uiPort, path: '/api/v1/signal', body: '{}' },
  ];
  for (const listener of all) listeners.set(listener.name, listener);
});
afterAll(() => Promise.all(open.map((listener) => listener.close())));

interface Asked {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly port?: number;
}

/** Sends the request, or a websocket's, with the headers given, and answers the status. */
function ask(name: string, { method = 'POST', host, headers = {}, port }: Asked = {}): Promise<number> {
  const listener = listeners.get(name)!;
  const at = port ?? listener.port;
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port: at,
      path: listener.path,
      method,
      headers: { host: host ?? `127.0.0.1:${at}`, 'content-type': 'application/json', ...headers },
    });
    request.on('response', (response) => {
      response.resume().on('end', () => {
        resolve(response.statusCode ?? 0);
      });
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    request.on('error', reject);
    request.end(method === 'POST' ? listener.body : undefined);
  });
}

const WEBSOCKET = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

describe.each(['chain', 'block engine', 'chain in a container', 'UI of Temporal'])('the local %s', (name) => {
  test('serves a program of this machine', async () => {
    const { port } = listeners.get(name)!;
    expect(await ask(name)).toBe(200);
    expect(await ask(name, { headers: { origin: `http://127.0.0.1:${port}` } })).toBe(200);
    expect(await ask(name, { host: `localhost:${port}` })).toBe(200);
  });

  test.each<[string, Asked]>([
    ['under a name that leads here (DNS rebinding)', { host: 'evil.example' }],
    ['of another site', { headers: { origin: 'https://evil.example' } }],
    ['of another server of this machine', { headers: { origin: 'http://127.0.0.1:3000' } }],
    ['from a file', { headers: { origin: 'null' } }],
    ['that sends a form, which needs no preflight', { headers: { 'content-type': 'text/plain' } }],
    ['through a proxy', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['that asks for permission', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } }],
  ])('refuses a page %s', async (_how, asked) => {
    expect(await ask(name, asked)).toBe(403);
  });
});

test('websockets of the local chain are for no page of another site, on both ports', async () => {
  const { port } = listeners.get('chain')!;
  for (const at of [port, port + 1]) {
    const websocket = { method: 'GET', port: at };
    expect(await ask('chain', { ...websocket, headers: WEBSOCKET })).toBe(101);
    expect(await ask('chain', { ...websocket, headers: { ...WEBSOCKET, origin: 'https://evil.example' } })).toBe(403);
    expect(await ask('chain', { ...websocket, host: 'evil.example', headers: WEBSOCKET })).toBe(403);
  }
});

test('a container’s neighbours reach it by its name', async () => {
  expect(await ask('chain in a container', { host: 'chain:8899' })).toBe(200);
  expect(await ask('chain in a container', { host: '172.30.77.130:8899' })).toBe(200);
  expect(await ask('chain', { host: 'chain:8899' })).toBe(403);
});
