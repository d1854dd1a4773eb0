import { connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiInstance } from '../../api/instance.ts';
import { testApp } from '../support/api/test-app.ts';

let app: ApiInstance;
let port: number;

beforeAll(async () => {
  app = await testApp();
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => app.close());

/** Sends bytes as they are and reads what comes back until the server closes. */
async function send(bytes: string): Promise<{ head: string; body: unknown }> {
  const socket = connectSocket(port, '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, body: JSON.parse(body) };
}

const invalid = (message: string) => ({
  error: { code: 'invalid_request', message, retryable: false, retryAfterSeconds: 0 },
});

test('what is not HTTP is answered in the error envelope', async () => {
  const { head, body } = await send('HELLO\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/);
  expect(body).toEqual(invalid('the request is not valid HTTP'));
});

test('a tunnel is refused in the error envelope', async () => {
  const { head, body } = await send('CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: a\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 405 Method Not Allowed/);
  expect(body).toMatchObject({ error: { code: 'method_not_allowed', message: 'CONNECT is not allowed here' } });
});

test('headers beyond the limit are answered in the error envelope', async () => {
  const { body } = await send(`GET /healthz HTTP/1.1\r\nhost: a\r\nx-large: ${'x'.repeat(40_000)}\r\n\r\n`);
  expect(body).toEqual(invalid('the headers are too large'));
});

test('a body that is announced too large is refused before it is sent', async () => {
  const { head, body } = await send(
    'POST /api/public/v1/launches/prepare HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 50000000\r\n\r\n',
  );
  expect(head).toMatch(/^HTTP\/1\.1 400/);
  expect(body).toEqual(invalid('the body is too large'));
});

test.each([
  ['no Host header', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 'the request has no Host header'],
  [
    'two Host headers',
    'GET /healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n',
    'the request has 2 Host headers',
  ],
  [
    'an unknown expectation',
    'GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: cake\r\nconnection: close\r\n\r\n',
    'the only Expect header that is understood is "100-continue", got "cake"',
  ],
])('%s is 400 in the error envelope', async (_what, bytes, message) => {
  const { head, body } = await send(bytes);
  expect(head).toMatch(/^HTTP\/1\.1 400/);
  expect(body).toEqual(invalid(message));
});

test('a request of HTTP/1.0 needs no Host header', async () => {
  expect((await send('GET /healthz HTTP/1.0\r\n\r\n')).head).toMatch(/^HTTP\/1\.1 200/);
});

test('what was refused is let go of, also where its client keeps its half of the connection open', async () => {
  const socket = connectSocket({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write('HELLO\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400/);
  const connections = () => new Promise<number>((resolve) => app.server.getConnections((_error, n) => resolve(n)));
  await expect.poll(connections).toBe(0);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test('the server bounds its connections: 10,000 for requests, 1,000 for streams', () => {
  expect(app.server.maxConnections).toBe(11_000);
});

test('the server has a timeout for headers and for whole requests', () => {
  expect(app.server.headersTimeout).toBe(10_000);
  expect(app.server.requestTimeout).toBe(20_000);
  expect(app.server.keepAliveTimeout).toBe(72_000);
});
