import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { record } from '../../api/answers/fields.ts';
import { ErrorSchema } from '../../api/schemas/envelope.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { createBoundedServer } from '../../observe/bounded-server.ts';
import { NGINX, nginxSettings } from '../support/deploy/ingress.ts';
import { eventually } from '../support/platform/eventually.ts';

const UNCHARGED = '{"charged":false,"error":{"code":"service_unavailable"}}';

describe.skipIf(NGINX === undefined)('the ingress of the Kubernetes example', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ingress-'));
  let [nginx, api, url, port]: [ChildProcess | undefined, Server | undefined, string, number] = [
    undefined,
    undefined,
    '',
    0,
  ];
  beforeAll(async () => {
    const bounds = { connections: 100, headersMs: 60_000, requestMs: 60_000, idleMs: 60_000 };
    api = createBoundedServer(bounds, ({ url: path = '' }, response) => {
      if (path === '/breaks') response.destroy();
      else if (path === '/uncharged') response.writeHead(503, { 'retry-after': '7' }).end(UNCHARGED);
      else if (path !== '/never') response.end('{}');
    });
    await new Promise<void>((resolve) => api?.listen(0, '127.0.0.1', resolve));
    const address = api.address();
    port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const file = join(directory, 'nginx.conf');
    const apiPort = typeof address === 'object' && address !== null ? address.port : 0;
    writeFileSync(file, nginxSettings(directory, port, `http://127.0.0.1:${apiPort}`, 1));
    nginx = spawn(NGINX!, ['-c', file], { stdio: 'ignore' });
    await eventually(() => fetch(url).catch(() => null), 'an answer of nginx');
  });
  afterAll(() => {
    nginx?.kill();
    api?.closeAllConnections();
    api?.close();
    rmSync(directory, { recursive: true });
  });

  async function expectContract(answer: Response, status: number, code: string): Promise<void> {
    const { error } = Value.Parse(record({ error: ErrorSchema }), await answer.json());
    expect([answer.status, error.code]).toEqual([status, code]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(Number(answer.headers.get('retry-after') ?? 0)).toBe(error.retryAfterSeconds);
  }

  test.each(['/breaks', '/never'])('answers for an API behind %s in its error shape', async (path) => {
    await expectContract(await fetch(`${url}${path}`), 503, 'service_unavailable');
  });

  test('answers what is too large in its error shape', async () => {
    await expectContract(await fetch(url, { method: 'POST', body: 'x'.repeat(9_000_000) }), 400, 'invalid_request');
    await expectContract(await fetch(url, { headers: { 'x-a': 'a'.repeat(40_000) } }), 400, 'invalid_request');
  });

  test('answers a transfer encoding or version that it does not know in its error shape', async () => {
    for (const head of [
      'GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip\r\n\r\n',
      'GET / HTTP/3.1\r\nhost: a\r\n\r\n',
    ]) {
      const socket = connect({ host: '127.0.0.1', port });
      socket.end(head);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request"/s);
    }
  });

  test('answers what is not HTTP in its error shape', async () => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write('HELLO\r\n\r\n');
    expect(await text(socket)).toContain('"code":"invalid_request"');
  });

  test('leaves an error of the API as it is', async () => {
    const answer = await fetch(`${url}/uncharged`);
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([503, '7', UNCHARGED]);
  });

  test('refuses a client that asks too often in its error shape', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(url)));
    const refused = answers.find(({ status }) => status === 429);
    if (!refused) throw new Error('no request was refused');
    await expectContract(refused, 429, 'rate_limited');
  });
});
