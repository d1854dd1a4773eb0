import { beforeAll, expect, test } from 'vitest';
import { bookBurn } from '../support/fee-sweep/revenue-rows.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { expectReadUnlessWithdrawn } from '../support/market/read-rules.ts';

const market = useMarketApp();
let mint: string;

beforeAll(async () => {
  ({ mint } = await market.launch());
});

const urlOf = (of: string, query = '') => `/api/public/v1/tokens/${of}/burns${query}`;
const read = async (of: string, query = '') => (await market.app().inject(urlOf(of, query))).json<object>();

test('a token of which nothing was burned has totals of zero', async () => {
  const { mint: fresh } = await market.launch();
  const totals = { count: 0, amount: '0', amountRaw: '0', percentOfSupply: '0', valueUsd: '0', unpriced: 0 };
  expect(await read(fresh)).toEqual({ data: { mint: fresh, totals, burns: [] }, meta: { total: 0 } });
});

test('the burns of the fee sweep are summed exactly and listed newest first; others are not in it', async () => {
  const db = market.db();
  const first = await bookBurn(db, mint);
  const at = new Date('2026-11-21T11:00:00.000Z');
  const second = await bookBurn(db, mint, { amountRaw: 10_000_000_000_000_001n, valueUsd: null, burnedAt: at });
  await bookBurn(db, mint, { kind: 'buyback' });
  await bookBurn(db, mint, { kind: 'flywheel' });
  await bookBurn(db, (await market.launch()).mint);
  expect(await read(mint)).toEqual({
    data: {
      mint,
      totals: {
        count: 2,
        amount: '10000001.500000001',
        amountRaw: '10000001500000001',
        percentOfSupply: '1',
        valueUsd: '0.75',
        unpriced: 1,
      },
      burns: [
        {
          signature: second,
          time: at.toISOString(),
          amount: '10000000.000000001',
          amountRaw: '10000000000000001',
          valueUsd: null,
        },
        {
          signature: first,
          time: '2026-11-21T10:00:30.000Z',
          amount: '1.5',
          amountRaw: '1500000000',
          valueUsd: '0.75',
        },
      ],
    },
    meta: { total: 2 },
  });
  expect(await read(mint, '?limit=1')).toMatchObject({
    data: { burns: [{ signature: second }], totals: { count: 2 } },
  });
});

test('a hidden token can still be read, a withdrawn and an unknown one are 404', async () => {
  await expectReadUnlessWithdrawn(market, urlOf);
});

test.each([
  ['?limit=0', 'limit'],
  ['?limit=101', 'limit'],
  ['?limit=ten', 'limit'],
  ['?page=1', 'page'],
])('%s is refused by name', async (query, name) => {
  const answer = await market.app().inject(urlOf(mint, query));
  expect([answer.statusCode, errorOf(answer).code]).toEqual([400, 'invalid_request']);
  expect(errorOf(answer).message).toContain(`"${name}"`);
});

test('a mint that is no address is 400', async () => {
  expect((await market.app().inject(urlOf("x' or 1=1"))).statusCode).toBe(400);
  expect((await market.app().inject(urlOf('not-a-mint'))).statusCode).toBe(400);
});

test('shared caches may keep it for a while', async () => {
  const answer = await market.app().inject(urlOf(mint));
  expect(answer.headers['cache-control']).toBe('public, max-age=0, s-maxage=5, stale-while-revalidate=60');
});
