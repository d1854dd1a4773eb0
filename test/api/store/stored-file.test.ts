import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiInstance } from '../../../api/instance.ts';
import { createFileStore } from '../../../chain/storage/file-store.ts';
import type { StoredType } from '../../../chain/storage/permanent-store.ts';
import { errorOf } from '../../support/api/errors-of.ts';
import { testConfig } from '../../support/api/api-config.ts';
import { testApp } from '../../support/api/test-app.ts';

const siteUrl = 'http://127.0.0.1:8080';
const text = (content: string) => Buffer.from(content);

let directory: string;
let app: ApiInstance;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'));
  app = await testApp({ config: testConfig({ STORE_DIR: directory, RATE_LIMIT_API: '5' }) });
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

/** Stores bytes as a launch does and returns the path they are served at. */
async function stored(bytes: Uint8Array, type: StoredType): Promise<string> {
  const uri = await createFileStore({ directory, siteUrl }).put(bytes, type);
  return new URL(uri).pathname;
}

test.each<StoredType>(['image/png', 'image/jpeg', 'image/webp', 'application/json'])(
  'a stored %s is served byte for byte with its type, for ever cacheable',
  async (type) => {
    const bytes = text(`{"of":"${type}"}`);
    const answer = await app.inject(await stored(bytes, type));
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload).toEqual(bytes);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
    });
  },
);

test('a stored page of a stranger could do nothing in a browser', async () => {
  const { headers } = await app.inject(await stored(text('<script>alert(1)</script>'), 'image/png'));
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
});

test('a client that has the file already gets 304, a HEAD no body', async () => {
  const url = await stored(text('again'), 'image/webp');
  const { etag = '' } = (await app.inject(url)).headers;
  const again = await app.inject({ url, headers: { 'if-none-match': etag } });
  expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([
    304,
    '',
    'public, max-age=31536000, immutable',
  ]);
  const head = await app.inject({ method: 'HEAD', url });
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '5']);
});

const hash = createHash('sha256').update('nobody stored this').digest('hex');
test.each([
  `${hash}.png`,
  `${hash}.html`,
  hash,
  `${hash.toUpperCase()}.png`,
  '..%2f..%2fetc%2fpasswd',
  `..%2f${hash}.json`,
  'x'.repeat(190),
])('%s is 404 in the envelope, and not to be cached', async (name) => {
  const answer = await app.inject(`/store/${name}`);
  expect([answer.statusCode, errorOf(answer).code]).toEqual([404, 'not_found']);
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('a file of the folder that no launch stored cannot be read', async () => {
  await writeFile(join(directory, 'notes.json'), '{}');
  expect((await app.inject('/store/notes.json')).statusCode).toBe(404);
});

test('a damaged file is never served', async () => {
  const url = await stored(text('{"whole":true}'), 'application/json');
  await writeFile(join(directory, url.replace('/store/', '')), '{"whole":false}');
  const answer = await app.inject(url);
  expect([answer.statusCode, errorOf(answer).code, answer.headers['cache-control']]).toEqual([
    500,
    'internal',
    'no-store',
  ]);
});

test('the pictures of a long list cost none of a client’s reads', async () => {
  const url = await stored(text('picture'), 'image/png');
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await app.inject(url)).statusCode));
  expect(statuses).toEqual(Array(20).fill(200));
});

test('only reads are allowed', async () => {
  const answer = await app.inject({ method: 'PUT', url: `/store/${hash}.png`, payload: {} });
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('a name with a zero byte, which no path may have anywhere, is 400', async () => {
  const answer = await app.inject(`/store/${hash}.png%00`);
  expect([answer.statusCode, errorOf(answer).code]).toEqual([400, 'invalid_request']);
  expect(answer.headers['cache-control']).toBe('no-store');
});
