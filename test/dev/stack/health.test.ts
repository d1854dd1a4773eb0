import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  httpHealth,
  type PartInstance,
  solanaRpcHealth,
  tcpHealth,
  waitUntilHealthy,
} from '../../../dev/stack/health.ts';

async function serve(listener: RequestListener): Promise<{ url: string; port: number; close: () => void }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, port, close };
}

const never = new AbortController().signal;
const instance: PartInstance = { id: 'this-start', pid: process.pid };

test('an HTTP part is healthy when it answers 2xx, otherwise the error has its answer', async () => {
  let status = 503;
  const { url } = await serve((_request, response) => {
    response.writeHead(status).end('the database is away');
  });
  await expect(httpHealth(url)(never)).rejects.toThrow(`GET ${url} answered 503: the database is away`);
  status = 200;
  await httpHealth(url)(never);
});

test('a chain is healthy when getHealth answers ok, otherwise the error has its answer', async () => {
  let result = { result: 'ok' } as object;
  const { url } = await serve((_request, response) => {
    response.setHeader('x-instance-id', instance.id).end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...result }));
  });
  await solanaRpcHealth(url)(never, instance);
  result = { error: { code: -32005, message: 'Node is behind by 42 slots' } };
  await expect(solanaRpcHealth(url)(never, instance)).rejects.toThrow('Node is behind by 42 slots');
});

test('a port is healthy while something listens on it', async () => {
  const { port, close } = await serve(() => undefined);
  await tcpHealth('127.0.0.1', port)(never);
  close();
  await expect(tcpHealth('127.0.0.1', port)(never)).rejects.toThrow('ECONNREFUSED');
});

test('the wait ends as soon as the check passes', async () => {
  let tries = 0;
  const check = () => {
    tries += 1;
    return tries < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve();
  };
  await waitUntilHealthy({ check, timeoutMs: 5_000, signal: never });
  expect(tries).toBe(3);
});

test('a check that hangs is given up with the wait', async () => {
  const check = (signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('hung'));
      });
    });
  await expect(waitUntilHealthy({ check, timeoutMs: 100, signal: never })).rejects.toThrow('not healthy after 100 ms');
});

test('the wait ends at once when the process has ended', async () => {
  const ended = new AbortController();
  const wait = waitUntilHealthy({
    check: () => Promise.reject(new Error('not yet')),
    timeoutMs: 60_000,
    signal: ended.signal,
  });
  ended.abort(new Error('exited with status 3'));
  await expect(wait).rejects.toThrow('exited with status 3');
});
