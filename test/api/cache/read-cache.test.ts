import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createReadCache, type ReadLife } from '../../../api/cache/read-cache.ts';

const COLLAPSED = { memorySeconds: 1, seconds: 2, staleSeconds: 3 };
const KEPT = { ...COLLAPSED, entries: 10 };

/** An app whose one read counts how often it was loaded. */
function countingApp(load: (path: string, count: number) => Promise<object>, life: ReadLife = KEPT) {
  let loads = 0;
  const app = Fastify();
  const cache = createReadCache(life, async (path: string) => ({ data: await load(path, (loads += 1)) }));
  app.get('/*', async (request, reply) => cache.send(request, reply, request.url));
  return { app, loads: () => loads };
}

test.each([KEPT, COLLAPSED])(
  'of a hundred requests at once one asks the database, and all get its answer',
  async (life) => {
    const { app, loads } = countingApp(async (_path, count) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { count };
    }, life);
    const answers = await Promise.all(Array.from({ length: 100 }, () => app.inject('/one')));
    expect(loads()).toBe(1);
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['{"data":{"count":1},"meta":{}}']));
  },
);

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

test('an answer is loaded anew when its life is over', async () => {
  const { app, loads } = countingApp(async (_path, count) => ({ count }));
  await app.inject('/one');
  await app.inject('/one');
  expect(loads()).toBe(1);
  await expect
    .poll(async () => (await app.inject('/one')).json<{ data: object }>().data, { timeout: 2_500 })
    .toEqual({ count: 2 });
});

test('what is not kept is loaded for each request that finds none on its way', async () => {
  const { app, loads } = countingApp(async (_path, count) => ({ count }), COLLAPSED);
  await app.inject('/one');
  await app.inject('/one');
  expect(loads()).toBe(2);
});
