import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiInstance } from '../../api/instance.ts';
import { clientAddressBehind, countedAs } from '../../api/plugins/client-address.ts';
import { connect, type Db } from '../../db/connect.ts';
import { createTestDatabase } from '../setup/database.ts';
import { testConfig } from '../support/api/api-config.ts';
import { quotaOf } from '../support/api/quota-of.ts';
import { testApp } from '../support/api/test-app.ts';

let [db, app]: [Db | undefined, ApiInstance | undefined] = [undefined, undefined];
let base: string;

beforeAll(async () => {
  db = connect((await createTestDatabase()).url);
  app = await testApp({ db, config: testConfig({ RATE_LIMIT_API: '12' }) });
  base = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app?.close();
  await db?.destroy();
});

const OWN = ['x-request-id', 'ratelimit', 'date'];

/** Headers of an answer without those that differ from request to request. */
function sharedHeaders(answer: Response): Record<string, string> {
  return Object.fromEntries([...answer.headers].filter(([name]) => !OWN.includes(name)));
}

const ask = (init: RequestInit = {}) => fetch(`${base}/api/public/v1/pairs-of-nothing`, init);
const read = ({ headers, ...init }: RequestInit = {}) =>
  fetch(`${base}/api/public/v1/tokens`, { headers: { 'accept-encoding': 'identity', ...headers }, ...init });

test('a kept answer is the same as the first in status, headers and body, and counts and identifies each request', async () => {
  await read();
  const [first, again] = [await read(), await read()];
  expect(sharedHeaders(again)).toEqual(sharedHeaders(first));
  expect(await again.text()).toBe(await first.text());
  const [before, after] = [first, again].map(
    ({ headers }) => quotaOf({ headers: Object.fromEntries(headers) }).remaining,
  );
  expect(after).toBe(before! - 1);
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  const traced = await read({ headers: { 'x-request-id': 'trace-7' } });
  expect(traced.headers.get('x-request-id')).toBe('trace-7');
});

test('HEAD and 304 come from what is kept as well', async () => {
  const first = await read();
  const etag = first.headers.get('etag') ?? '';
  const head = await read({ method: 'HEAD' });
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
    ...[200, '', first.headers.get('content-length')],
  ]);
  const known = await read({ headers: { 'if-none-match': etag } });
  expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
  expect(known.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
});

test('who reads gzip gets a large kept answer compressed, everyone else as it is', async () => {
  const app = await testApp({ db: db!, config: testConfig() });
  try {
    const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1/openapi.json`;
    // Sockets of our own: fetch would decompress the body and ask for more encodings.
    const readAs = (encoding: string) => rawGet(url, { 'accept-encoding': encoding });
    await readAs('identity');
    const plain = await readAs('identity');
    const small = await readAs('br, gzip;q=0.8');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['vary']).toMatch(/accept-encoding/);
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(small.body.length).toBeLessThan(plain.body.length / 4);
    expect(gunzipSync(small.body).equals(plain.body)).toBe(true);
    for (const encoding of ['br', 'gzip;q=0', 'gzip; q=0.0, br'])
      expect((await readAs(encoding)).headers['content-encoding']).toBeUndefined();
  } finally {
    await app.close();
  }
});

test('beyond the limit a kept answer is refused like any other, with Retry-After', async () => {
  await ask();
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) statuses.push((await read()).status);
  const refused = await read();
  expect([statuses.at(-1), refused.status]).toEqual([429, 429]);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(refused.headers.get('cache-control')).toBe('no-store');
});

function rawGet(url: string, headers: Record<string, string>) {
  return new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(url, { headers }, (response) => {
      buffer(response).then((body) => {
        resolve({ headers: response.headers, body });
      }, reject);
    }).on('error', reject);
  });
}

describe('whose request it is', () => {
  test.each([
    [[], '203.0.113.1', '198.51.100.1', '203.0.113.1'],
    [['10.0.0.0/8'], '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', '192.0.2.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    [['10.0.0.0/8'], '203.0.113.1', '198.51.100.1', '203.0.113.1'],
    [['fd00::/8', '127.0.0.1'], '127.0.0.1', 'fd00::7', 'fd00::7'],
    [['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
  ])('behind %j from %s with %s it is %s', (proxies, remote, forwarded, expected) => {
    expect(clientAddressBehind(proxies)(remote, forwarded)).toBe(expected);
  });

  test.each([
    ['203.0.113.1', '203.0.113.1'],
    ['::ffff:203.0.113.1', '203.0.113.1'],
    ['2001:db8:1:1::1', '2001:db8:1:1::/64'],
    ['2001:0db8:0001:0001:ffff::2', '2001:db8:1:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is counted as %s', (address, expected) => {
    expect(countedAs(address)).toBe(expected);
  });
});
