import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createReadCache, type ReadLife } from '../../../api/cache/read-cache.ts';

const KEPT: ReadLife = { memorySeconds: 1, seconds: 2, staleSeconds: 3, entries: 2 };

/** An app whose one read counts how often it was loaded. */
function countingApp(load: (path: string, count: number) => Promise<object>) {
  let loads = 0;
  const app = Fastify();
  const cache = createReadCache(KEPT, async (path: string) => ({ data: await load(path, (loads += 1)) }));
  app.get('/*', async (request, reply) => cache.send(request, reply, request.url));
  return { app, loads: () => loads };
}

test('of a hundred requests at once one asks the database, and all get its answer', async () => {
  const { app, loads } = countingApp(async (_path, count) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { count };
  });
  const answers = await Promise.all(Array.from({ length: 100 }, () => app.inject('/one')));
  expect(loads()).toBe(1);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(answers[0]?.json()).toMatchObject({ data: { count: 1 }, meta: { generatedAt: expect.any(String) as string } });
});

test('who has the answer already gets 304, and HEAD its length', async () => {
  const { app } = countingApp(async () => ({ kept: true }));
  const first = await app.inject('/one');
  const known = await app.inject({ url: '/one', headers: { 'if-none-match': first.headers.etag } });
  expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', first.headers.etag]);
  expect(known.headers['cache-control']).toBe(first.headers['cache-control']);
  const head = await app.inject({ method: 'HEAD', url: '/one' });
  expect([head.body, head.headers['content-length']]).toEqual(['', first.headers['content-length']]);
});

test('no more answers are kept than were asked for', async () => {
  const { app, loads } = countingApp(async (path) => ({ path }));
  for (const url of ['/one', '/two', '/three', '/one']) await app.inject(url);
  expect(loads()).toBe(4);
  await app.inject('/three');
  expect(loads()).toBe(4);
});

test('other inputs have answers of their own', async () => {
  const { app, loads } = countingApp(async (path) => ({ path }));
  const [one, other] = [await app.inject('/one'), await app.inject('/other')];
  expect([one.json<{ data: object }>().data, other.json<{ data: object }>().data]).toEqual([
    { path: '/one' },
    { path: '/other' },
  ]);
  expect(loads()).toBe(2);
});

test('a failed load fails all who waited for it and is kept for nobody', async () => {
  const { app, loads } = countingApp(async (_path, count) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (count === 1) throw new Error('away');
    return { count };
  });
  const failed = await Promise.all([app.inject('/one'), app.inject('/one')]);
  expect(failed.map(({ statusCode }) => statusCode)).toEqual([500, 500]);
  expect((await app.inject('/one')).statusCode).toBe(200);
  expect(loads()).toBe(2);
});

test('a life in which an answer would come to look stale to clients is refused when its endpoint is registered', () => {
  const lasting = (staleSeconds: number, more: Partial<ReadLife> = {}) =>
    createReadCache({ memorySeconds: 5, seconds: 10, staleSeconds, ...more }, async () => ({ data: {} }));
  expect(() => lasting(25)).not.toThrow();
  expect(() => lasting(26)).toThrow(RangeError);
  expect(() => lasting(55, { mostSeconds: 90 })).not.toThrow();
});

test('an answer is loaded anew when its life is over', async () => {
  const { app, loads } = countingApp(async (_path, count) => ({ count }));
  await app.inject('/one');
  await app.inject('/one');
  expect(loads()).toBe(1);
  await expect.poll(async () => (await app.inject('/one')).json<{ data: object }>().data).toEqual({ count: 2 });
});

test('large answers are not kept by the hundred, although there are entries left', async () => {
  const life = { memorySeconds: 5, seconds: 5, staleSeconds: 5, entries: 500 };
  const app = Fastify();
  const loads: string[] = [];
  const cache = createReadCache(life, async (path: string) => {
    loads.push(path);
    return { data: { text: 'x'.repeat(1024 * 1024) } };
  });
  app.get('/*', async (request, reply) => cache.send(request, reply, request.url));
  const urls = Array.from({ length: 8 }, (_, index) => `/${index}`);
  for (const url of urls) await app.inject(url);
  // The first ones had to go; the last one is still there.
  for (const url of ['/0', '/7']) await app.inject(url);
  expect(loads.slice(urls.length)).toEqual(['/0']);
});
