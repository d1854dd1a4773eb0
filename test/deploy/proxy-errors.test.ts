import { createServer, type Server } from 'node:net';
import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { afterEach, describe, expect, test } from 'vitest';
import { record } from '../../api/answers/fields.ts';
import { ErrorSchema } from '../../api/schemas/envelope.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { HAPROXY, PROXY_CONFIGURATION } from '../support/deploy/proxy.ts';
import {
  type ProxyAnswer,
  type Replaced,
  type RunningProxy,
  startRunningProxy,
} from '../support/deploy/running-proxy.ts';
import { STREAM_PATH } from '../support/deploy/stream-paths.ts';

/** Every status that HAProxy makes by itself with these settings, and its code in the contract. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  403: 'forbidden',
  408: 'service_unavailable',
  413: 'invalid_request',
  429: 'rate_limited',
  500: 'internal',
  501: 'invalid_request',
  502: 'service_unavailable',
  503: 'service_unavailable',
  504: 'service_unavailable',
};
const STATUSES = Object.keys(CODES).map(Number);
const EnvelopeSchema = record({ error: ErrorSchema });

/** Where no API is. */
const NOWHERE = 'http://127.0.0.1:1';

/** Learns within a moment that no API is there. */
const FASTER: Replaced = [
  ['check inter 1s', 'check inter 20ms'],
  ['retries 3', 'retries 0'],
  ['timeout tarpit 1s', 'timeout tarpit 100ms'],
];

/** The contract of an error, as `api/plugins` keeps it. */
function expectContract({ status, headers, body }: ProxyAnswer): void {
  const envelope = Value.Parse(EnvelopeSchema, JSON.parse(body));
  const { code, retryable, retryAfterSeconds } = envelope.error;
  expect(code).toBe(CODES[status]);
  expect(retryable).toBe(retryAfterSeconds > 0);
  expect(headers['retry-after']).toBe(retryAfterSeconds > 0 ? `${retryAfterSeconds}` : undefined);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('retry-after') as string,
    'cache-control': 'no-store',
  });
}

describe.skipIf(HAPROXY === undefined)('an answer of the proxy itself', () => {
  let [proxy, server]: [RunningProxy | undefined, Server | undefined] = [undefined, undefined];
  afterEach(() => {
    proxy?.stop();
    server?.close();
  });

  /** An API that answers each connection with these bytes; null: nothing. */
  async function startApi(bytes: string | null): Promise<string> {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (asked) => {
        if (asked.toString().startsWith('GET /healthz')) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        else if (bytes !== null) socket.end(bytes);
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  const start = (url: string, ready: number, ...replaced: Replaced) =>
    startRunningProxy([url], [...FASTER, ...replaced], ready);

  test('the settings name no other status than these', () => {
    const named = readFileSync(PROXY_CONFIGURATION, 'utf8').matchAll(
      /(?:http-error status|return status|deny_status) (\d+)/g,
    );
    const statuses = new Set([...named].map(([, status]) => Number(status)));
    expect([...statuses].filter((status) => status !== 204).sort()).toEqual(STATUSES);
  });

  test('has the error shape, CORS and Retry-After of the API, whatever its status', async () => {
    const front = '  acl of_front ';
    const rules = STATUSES.map((status) => `  http-request deny deny_status ${status} if { path /make/${status} }\n`);
    proxy = await start(NOWHERE, 503, [front, rules.join('') + front]);
    for (const status of STATUSES) {
      const answer = await proxy.ask({ path: `/make/${status}` });
      expect(answer.status).toBe(status);
      expectContract(answer);
    }
  });

  test.each([
    ['that is away', 503, () => Promise.resolve(NOWHERE)],
    ['that answers what is not HTTP', 502, () => startApi('no HTTP\r\n\r\n')],
    ['that does not answer', 504, () => startApi(null)],
  ] as const)('for an API %s is a %i of the contract, also for a stream', async (_, status, api) => {
    proxy = await start(await api(), status, ['timeout server 75s', 'timeout server 300ms']);
    for (const path of ['/api/public/v1/stats', STREAM_PATH]) {
      const answer = await proxy.ask({ path });
      expect(answer.status).toBe(status);
      expectContract(answer);
    }
  });

  test('for a client that asks too much is a 429 with true rate headers', async () => {
    proxy = await start(NOWHERE, 503, ['sc1_http_req_rate gt 300', 'sc1_http_req_rate gt 5']);
    for (const path of ['/', STREAM_PATH]) {
      let answer = await proxy.ask({ path });
      for (let count = 0; count < 6; count += 1) answer = await proxy.ask({ path });
      expect(answer.status).toBe(429);
      expectContract(answer);
      expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '0' });
      expect(Math.abs(Number(answer.headers['x-ratelimit-reset']) - Date.now() / 1_000 - 10)).toBeLessThan(3);
    }
  });

  test('to a preflight lets a page of another site see that no API is there', async () => {
    proxy = await start(NOWHERE, 503);
    const { status, headers } = await proxy.ask({ path: '/api/public/v1/launches/submit', method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': expect.stringContaining('content-type') as string,
    });
  });
});
