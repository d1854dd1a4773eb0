import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createBoundedServer } from '../../observe/bounded-server.ts';
import { HAPROXY } from '../support/deploy/proxy.ts';
import { type Replaced, type RunningProxy, startRunningProxy } from '../support/deploy/running-proxy.ts';

/** Its own limits are too great to reach in a test. */
const SMALLER: Replaced = [
  ['timeout http-request 10s', 'timeout http-request 1s'],
  ['timeout http-keep-alive 10s', 'timeout http-keep-alive 1s'],
  ['timeout client 20s', 'timeout client 1s'],
  ['sc0_conn_cur(sources) gt 150', 'sc0_conn_cur(sources) gt 20'],
  ['timeout tarpit 1s', 'timeout tarpit 100ms'],
  ['sc1_http_req_rate gt 300', 'sc1_http_req_rate gt 60'],
  ['sc1_gpc1_rate(clients) gt 50', 'sc1_gpc1_rate(clients) gt 30'],
  ['sc1_conn_cur gt 60', 'sc1_conn_cur gt 10'],
  ['sc1_conn_cur gt 50', 'sc1_conn_cur gt 5'],
  ['sc1_conn_cur gt 12', 'sc1_conn_cur gt 3'],
  ['fe_conn gt 10000', 'fe_conn gt 30'],
  ['sc0_conn_cur(sources) gt 60', 'sc0_conn_cur(sources) gt 10'],
  ['be_conn(apis) gt 3000', 'be_conn(apis) gt 12'],
  ['sc2_conn_cur(submitters) gt 20', 'sc2_conn_cur(submitters) gt 4'],
];

const START = 'POST /api/public/v1/launches/submit HTTP/1.1\r\nhost: a\r\n';

describe.skipIf(HAPROXY === undefined)('the proxy of the set-up', () => {
  let proxy: RunningProxy;
  let api: Server;
  /** Requests that the API heard of, other than questions for its health. */
  let taken = 0;
  /** Requests below /held, which are answered when the test says so. */
  const held: (() => void)[] = [];

  beforeAll(async () => {
    const bounds = { connections: 1_000, headersMs: 60_000, requestMs: 60_000, idleMs: 60_000 };
    api = createBoundedServer(bounds, (asked, response) => {
      if (asked.url !== '/healthz') taken += 1;
      const answer = () => response.end(String(asked.headers['x-forwarded-for']));
      if (asked.url?.includes('/held') === true) held.push(answer);
      else answer();
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    const address = api.address();
    const apiPort = typeof address === 'object' && address !== null ? address.port : 0;
    proxy = await startRunningProxy([`http://127.0.0.1:${apiPort}`], SMALLER);
  });
  afterAll(async () => {
    proxy.stop();
    api.closeAllConnections();
    api.close();
  });

  /** Asks from an address of loopback; status 0 where the connection is refused. */
  async function ask(from = '127.0.0.1', path = '/', headers = {}, method = 'GET') {
    const { status, body } = await proxy.ask({ from, path, headers, method });
    return { status, body };
  }

  function open(from: string): Socket {
    const socket = connect({ host: '127.0.0.1', port: proxy.port, localAddress: from, allowHalfOpen: true });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  }

  test.each([
    ['says nothing', ''],
    ['never ends its headers', `${START}x-a: `],
    ['never ends its body', `${START}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{`],
  ])('a connection that %s is closed, however often it sends a byte', async (_what, bytes) => {
    const socket = open('127.0.0.2');
    socket.write(bytes);
    const trickle = setInterval(() => socket.writable && bytes !== '' && socket.write(' '), 100);
    socket.resume();
    await once(socket, 'end');
    clearInterval(trickle);
    await expect.poll(() => (socket.write(' '), socket.destroyed)).toBe(true);
  });

  test('says on /healthz alone how many APIs it sends requests to, whatever an API says', async () => {
    expect((await proxy.ask({ path: '/healthz' })).headers['x-apis-behind']).toBe('1');
    expect((await proxy.ask({ path: '/' })).headers['x-apis-behind']).toBeUndefined();
  });

  test('a connection is kept for a second request, and closed when none comes', async () => {
    const socket = open('127.0.0.2');
    const answered = once(socket, 'data');
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await answered;
    await once(socket, 'end');
  });

  test('a source has its share of connections, and the others have theirs', async () => {
    const sockets = Array.from({ length: 25 }, () => open('127.0.0.3'));
    let refused = 0;
    for (const socket of sockets) socket.on('close', () => (refused += 1));
    await expect.poll(() => refused).toBe(5);
    expect((await ask('127.0.0.3')).status).toBe(0);
    expect((await ask('127.0.0.4')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await ask('127.0.0.3')).status).toBe(200);
  });

  test('a client has its share of requests that are under way: behind what ends TLS it is told by X-Forwarded-For', async () => {
    const ofOne = Array.from({ length: 12 }, () => ask('127.0.0.9', '/held', { 'x-forwarded-for': '203.0.113.1' }));
    await expect.poll(() => held.length).toBe(10);
    const other = ask('127.0.0.9', '/', { 'x-forwarded-for': '203.0.113.2' });
    expect(await other).toEqual({ status: 200, body: '203.0.113.2, 127.0.0.9' });
    for (const answer of held.splice(0)) answer();
    const answers = await Promise.all(ofOne);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ body }) => (JSON.parse(body) as { error: { code: string } }).error.code)).toEqual([
      'rate_limited',
      'rate_limited',
    ]);
  });

  test('a client has its share of submits that are under way, beside which it reads, and others submit', async () => {
    const submits = Array.from({ length: 5 }, () => ask('127.0.0.13', '/held/submit', {}, 'POST'));
    await expect.poll(() => held.length).toBe(4);
    expect((await Promise.race(submits)).status).toBe(429);
    expect((await ask('127.0.0.13')).status).toBe(200);
    expect((await ask('127.0.0.14', '/submit', {}, 'POST')).status).toBe(200);
    for (const answer of held.splice(0)) answer();
    expect((await Promise.all(submits)).filter(({ status }) => status === 200)).toHaveLength(4);
  });

  test('a client that asks too often is refused before an API hears of it, and the others are not', async () => {
    const before = taken;
    const statuses: number[] = [];
    for (let count = 0; count < 70; count += 1) statuses.push((await ask('127.0.0.6')).status);
    expect(statuses).toEqual([...Array<number>(60).fill(200), ...Array<number>(10).fill(429)]);
    expect(taken - before).toBe(60);
    const { status, body } = await ask('127.0.0.6');
    expect([status, (JSON.parse(body) as { error: { code: string } }).error.code]).toEqual([429, 'rate_limited']);
    expect((await ask('127.0.0.7')).status).toBe(200);
  });

  test('each client that asks for much has a share: no other client waits, nor does a submit', async () => {
    const busy = ['127.0.0.10', '127.0.0.11', '127.0.0.15'];
    for (const client of busy) for (let count = 0; count < 32; count += 1) await ask(client, '/api/a');
    const many = busy.flatMap((client) => Array.from({ length: 5 }, () => ask(client, '/api/held')));
    await expect.poll(() => held.length).toBe(9);
    expect((await ask('127.0.0.12')).status).toBe(200);
    expect((await ask('127.0.0.10', '/launches/submit', {}, 'POST')).status).toBe(200);
    for (const answer of held.splice(0)) answer();
    const statuses = (await Promise.all(many)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(9).fill(200), ...Array<number>(6).fill(429)]);
  });

  test('logos and assets make no client busy', async () => {
    for (let count = 0; count < 40; count += 1) await ask('127.0.0.16', '/store/a.png');
    const many = Array.from({ length: 5 }, () => ask('127.0.0.16', '/api/held'));
    await expect.poll(() => held.length).toBe(5);
    for (const answer of held.splice(0)) answer();
    expect((await Promise.all(many)).every(({ status }) => status === 200)).toBe(true);
  });

  test('HTTP/2 without TLS is refused: its streams would be counted by no share of a source', async () => {
    const socket = open('127.0.0.2');
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('while many requests are under way, the share of a client is smaller', async () => {
    const first = ['127.0.0.21', '127.0.0.22'].flatMap((from) => Array.from({ length: 10 }, () => ask(from, '/held')));
    await expect.poll(() => held.length).toBe(13);
    const later = Array.from({ length: 5 }, () => ask('127.0.0.23', '/held'));
    const refused = await Promise.race(later);
    expect([refused.status, refused.body]).toEqual([429, expect.stringContaining('12 requests under way')]);
    await expect.poll(() => held.length).toBe(16);
    for (const answer of held.splice(0)) answer();
    const statuses = (await Promise.all(later)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    await Promise.all(first);
  });

  test('while many connections are open, the share of a source is smaller', async () => {
    const sources = [...Array<string>(20).fill('127.0.0.25'), ...Array<string>(10).fill('127.0.0.26')];
    const many = sources.map((source) => open(source));
    let refused = 0;
    await Promise.all(many.map((socket) => once(socket, 'connect')));
    const later = Array.from({ length: 15 }, () => open('127.0.0.27'));
    for (const socket of later) socket.on('close', () => (refused += 1));
    await expect.poll(() => refused).toBe(5);
    for (const socket of [...many, ...later]) socket.destroy();
  });

  test('what a stranger writes into X-Forwarded-For makes no other client of it', async () => {
    const claims = Array.from({ length: 12 }, (_, index) => ({ 'x-forwarded-for': `203.0.113.${index}` }));
    const all = claims.map((headers) => ask('127.0.0.5', '/held', headers));
    await expect.poll(() => held.length).toBe(10);
    for (const answer of held.splice(0)) answer();
    expect((await Promise.all(all)).filter(({ status }) => status === 429)).toHaveLength(2);
  });
});
