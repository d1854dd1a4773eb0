import { expect, test } from 'vitest';
import { createApi, eachPage } from '../../client/index.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

test('a list is read to its end, each entry once, although a page behind the last answers the last', async () => {
  const minutes = [1, 2, 3, 4, 5];
  for (const minute of minutes) await market.launch({ launchedAt: new Date(Date.UTC(2026, 9, 1, 0, minute)) });
  const api = createApi({ url: 'http://slipway.test/api/public/v1', fetch: injected });
  const sizes: number[] = [];
  const mints: string[] = [];
  for await (const { launches, pagination } of eachPage((page) =>
    api.ask('GET /launches', { query: { page, pageSize: 2 } }),
  )) {
    sizes.push(launches.length);
    mints.push(...launches.map(({ mint }) => mint));
    expect(pagination.hasMore).toBe(pagination.page < pagination.totalPages);
  }
  expect(sizes).toEqual([2, 2, 1]);
  expect(new Set(mints).size).toBe(minutes.length);
  const beyond = await api.ask('GET /tokens', { query: { page: 900, pageSize: 2 } });
  expect(beyond.pagination).toMatchObject({ page: 3, hasMore: false });
});

const injected: typeof fetch = async (input) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  const { statusCode, body, headers } = await market.app().inject(`${pathname}${search}`);
  return new Response(body, { status: statusCode, headers: { 'content-type': String(headers['content-type']) } });
};
