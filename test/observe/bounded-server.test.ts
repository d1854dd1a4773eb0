import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createBoundedServer, type ServerBounds } from '../../observe/bounded-server.ts';

const BOUNDS: ServerBounds = { connections: 10, headersMs: 300, requestMs: 600, idleMs: 300 };

async function listen(bounds: Partial<ServerBounds> = {}): Promise<{ server: Server; open: () => Socket }> {
  const server = createBoundedServer({ ...BOUNDS, ...bounds }, (request, response) => {
    request.resume().on('end', () => response.end('answer'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const open = () => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, open };
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

test.each([
  ['says nothing more than a header without end', 'GET / HTTP/1.1\r\nhost: a\r\nx-a: '],
  ['never ends its body', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nab'],
  ['is no HTTP', 'HELLO\r\n\r\n'],
])('a client that %s is answered and let go of, though it keeps its half open', async (_what, bytes) => {
  const { server, open } = await listen();
  const socket = open();
  socket.write(bytes);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 4/);
  await expect.poll(() => connectionsOf(server)).toBe(0);
  expect(socket.destroyed).toBe(false);
});

test('a connection that was opened in advance is closed without a byte, which its client would take for a response', async () => {
  const { server, open } = await listen();
  expect(await text(open())).toBe('');
  await expect.poll(() => connectionsOf(server)).toBe(0);
});

test('an idle connection is closed', async () => {
  const { server, open } = await listen();
  open().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await expect.poll(() => connectionsOf(server)).toBe(1);
  await expect.poll(() => connectionsOf(server)).toBe(0);
});

test('of more connections than it takes, the further ones are closed', async () => {
  const { open } = await listen({ connections: 2, headersMs: 60_000, requestMs: 60_000 });
  const first = [open(), open()];
  await Promise.all(first.map((socket) => once(socket, 'connect')));
  const further = open();
  await once(further.resume(), 'end');
  expect(first.map(({ destroyed }) => destroyed)).toEqual([false, false]);
});
