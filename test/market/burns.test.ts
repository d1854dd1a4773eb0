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
const read = async (of: string, query = '') => (await market.app().inject(urlOf(of, query))).json<{ data: object }>();

test('a token of which nothing was burned has totals of zero', async () => {
  const { mint: fresh } = await market.launch();
  const about = { mint: fresh, symbol: 'HARBOR', decimals: 9, lastBurnAt: null };
  const nothing = {
    amountRaw: '0',
    amountTokens: 0,
    percentOfSupply: 0,
    valueUsdAtBurn: 0,
    burnCount: 0,
    unpricedCount: 0,
  };
  expect((await read(fresh)).data).toEqual({ mint: fresh, totals: { ...about, ...nothing }, burns: [] });
});

test('all burns of a token are summed exactly, whatever they are from, and listed newest first', async () => {
  const db = market.db();
  const at = (hour: number) => new Date(`2026-11-21T${hour}:00:00.000Z`);
  const swept = await bookBurn(db, mint, { burnedAt: at(10) });
  const unpriced = await bookBurn(db, mint, { amountRaw: 10_000_000_000_000_001n, valueUsd: null, burnedAt: at(11) });
  const bought = await bookBurn(db, mint, { kind: 'buyback', burnedAt: at(12) });
  const ranked = await bookBurn(db, mint, { kind: 'flywheel', burnedAt: at(13) });
  await bookBurn(db, (await market.launch()).mint);
  const one = { symbol: 'HARBOR', amountRaw: '1500000000', amountTokens: 1.5, valueUsdAtBurn: 0.75 };
  const many = { ...one, amountRaw: '10000000000000001', amountTokens: 10_000_000.000000001, valueUsdAtBurn: null };
  expect((await read(mint)).data).toEqual({
    mint,
    totals: {
      mint,
      symbol: 'HARBOR',
      decimals: 9,
      amountRaw: '10000004500000001',
      amountTokens: 10_000_004.500000001,
      percentOfSupply: 1,
      valueUsdAtBurn: 2.25,
      burnCount: 4,
      unpricedCount: 1,
      lastBurnAt: at(13).toISOString(),
    },
    burns: [
      { ...one, signature: ranked, source: 'flywheel', burnedAt: at(13).toISOString() },
      { ...one, signature: bought, source: 'buyback', burnedAt: at(12).toISOString() },
      { ...many, signature: unpriced, source: 'auto', burnedAt: at(11).toISOString() },
      { ...one, signature: swept, source: 'auto', burnedAt: at(10).toISOString() },
    ],
  });
  expect((await read(mint, '?limit=1')).data).toMatchObject({
    burns: [{ signature: ranked }],
    totals: { burnCount: 4 },
  });
});

test('a quote token has burns too', async () => {
  await bookBurn(market.db(), market.quoteMint, { amountRaw: 5n });
  expect((await read(market.quoteMint)).data).toMatchObject({
    totals: { symbol: 'USDQ', decimals: 6, amountTokens: 0.000005 },
  });
});

test('a hidden token can still be read, a withdrawn and an unknown one are 404', async () => {
  await expectReadUnlessWithdrawn(market, urlOf);
});

test.each([
  ['?limit=ten', 'limit'],
  ['?limit=1.5', 'limit'],
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
  expect(answer.headers['cache-control']).toBe('public, max-age=0, s-maxage=5, stale-while-revalidate=25');
});
