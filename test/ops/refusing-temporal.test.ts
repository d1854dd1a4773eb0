import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

const OPS = join(import.meta.dirname, '../../ops/main.ts');

/** Status codes of gRPC. */
const [UNIMPLEMENTED, UNAVAILABLE] = ['12', '14'];

async function addressOf(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Temporal with a full disk or without its database: it takes connections and refuses requests. */
function refusingTemporal(): Promise<string> {
  const server = createHttp2Server();
  server.on('stream', (stream, { ':path': path }) => {
    const status = String(path).endsWith('/GetSystemInfo') ? UNIMPLEMENTED : UNAVAILABLE;
    const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status };
    stream.respond(headers, { endStream: true });
  });
  return addressOf(server);
}

/** A worker that answers when the client of Temporal would have repeated its requests several times. */
function slowWorker(): Promise<string> {
  return addressOf(createServer((_, response) => void setTimeout(() => response.end(), 2_000)));
}

it('a Temporal that refuses requests is a line of ops status, beside the others', async () => {
  const env = {
    PATH: process.env['PATH'],
    TEMPORAL_ADDRESS: await refusingTemporal(),
    WORKER_URLS: `http://${await slowWorker()}`,
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
  };
  const status = spawn(process.execPath, [OPS, 'status', '--json'], { env });
  const ended = once(status, 'exit') as Promise<[number]>;
  const [printed, errors, [code]] = await Promise.all([text(status.stdout), text(status.stderr), ended]);
  expect(errors).not.toContain('Channel has been shut down');
  const { lines } = JSON.parse(printed) as { lines: { subject: string; is: string }[] };
  const named = lines.map(({ is, subject }) => `${is} ${subject}`);
  expect(named).toEqual(expect.arrayContaining(['unreachable database', 'unreachable temporal']));
  expect(code).toBe(1);
});
