import { expect, test } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as tokens from '../../db/tokens.ts';
import { address, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const URL = '/api/public/v1/launches';
const market = useMarketApp();

interface Ledger {
  readonly data: {
    readonly launches: readonly { readonly mint: string; readonly [field: string]: unknown }[];
    readonly pagination: object;
  };
}

const read = async (query = '') => (await market.app().inject(`${URL}${query}`)).json<Ledger>();
const mints = async (query = '') => (await read(query)).data.launches.map(({ mint }) => mint);
const at = (time: string) => new Date(`2026-11-21T${time}Z`);

test('every launch whose token is live, newest first, with its terms, also a hidden one; others are not in the ledger', async () => {
  const creator = address();
  const first = await market.launch({ terms: { creator }, launchedAt: at('10:00:00') });
  const second = await market.launch({
    terms: { creator, ...rewardFacts(100).terms },
    token: rewardFacts(100).token,
    launchedAt: at('11:00:00'),
  });
  await insertIntake(market.db(), intakeOf(launchTerms({ creator })));
  const [hidden, withdrawn] = [
    await market.launch({ terms: { creator }, launchedAt: at('09:00:00') }),
    await market.launch({ terms: { creator } }),
  ];
  await tokens.setHidden(market.db(), hidden.mint, true, { actor: 'test' });
  await tokens.withdraw(market.db(), withdrawn.mint);
  const { data } = await read(`?creator=${creator}`);
  expect(data.pagination).toEqual({ page: 1, pageSize: 25, total: 3, totalPages: 1, hasMore: false });
  expect(data.launches.map((row) => row.hidden)).toEqual([undefined, undefined, true]);
  expect(data.launches).toMatchObject([
    {
      mint: second.mint,
      status: 'completed',
      mode: 'reward',
      rewardTaxBps: 100,
      createdAt: '2026-11-21T11:00:00.000Z',
    },
    {
      paymentSignature: first.paymentSignature,
      status: 'completed',
      mint: first.mint,
      creator,
      mode: 'standard',
      feeTier: '1%',
      poolFeePercent: 1,
      name: 'Harbour Light',
      symbol: 'HARBOR',
      devBuy: null,
      airdrop: null,
    },
    { mint: hidden.mint, status: 'completed', hidden: true },
  ]);
});

test('filters by creator, fee model and time, and pages', async () => {
  const creator = address();
  const [old, same, other] = [
    await market.launch({ terms: { creator }, launchedAt: at('08:00:00') }),
    await market.launch({ terms: { creator }, launchedAt: at('09:00:00') }),
    await market.launch({ terms: { creator }, launchedAt: at('09:00:00') }),
  ];
  const newest = [same, other].sort((a, b) => (a.terms.quoteId < b.terms.quoteId ? 1 : -1)).map(({ mint }) => mint);
  expect(await mints(`?creator=${creator}`)).toEqual([...newest, old.mint]);
  expect(await mints(`?creator=${creator}&since=2026-11-21T09:00:00Z`)).toEqual(newest);
  expect(await mints(`?creator=${creator}&since=2026-11-21T10:00:00%2B02:00`)).toEqual([...newest, old.mint]);
  expect(await mints(`?creator=${creator}&since=2026-11-21T09:00:00.001Z`)).toEqual([]);
  expect(await mints(`?creator=${creator}&mode=reward`)).toEqual([]);
  expect(await mints(`?creator=${creator}&since=2026-11-21T11:00:00+02:00`)).toEqual(newest);
  const first = await read(`?creator=${creator}&pageSize=2`);
  expect(first.data.pagination).toEqual({ page: 1, pageSize: 2, total: 3, totalPages: 2, hasMore: true });
  for (const page of [2, 3, 99]) {
    const { launches, pagination } = (await read(`?creator=${creator}&pageSize=2&page=${page}`)).data;
    expect(launches.map(({ mint }) => mint)).toEqual([old.mint]);
    expect(pagination).toEqual({ page: 2, pageSize: 2, total: 3, totalPages: 2, hasMore: false });
  }
  const clamped = await read(`?creator=${creator}&pageSize=500&page=0&limit=7`);
  expect(clamped.data.pagination).toEqual({ page: 1, pageSize: 100, total: 3, totalPages: 1, hasMore: false });
  expect(await mints(`?creator=${address()}`)).toEqual([]);
});

test.each([
  ['?creator=me', 'creator'],
  ['?mode=all', 'mode'],
  ['?since=2026-11-21', 'since'],
  ['?since=2026-02-30T00:00:00Z', 'since'],
  ['?since=2026-06-30T23:59:60Z', 'since'],
  ['?pageSize=ten', 'pageSize'],
  ['?page=1.5', 'page'],
])('%s is refused by name', async (query, name) => {
  const answer = await market.app().inject(`${URL}${query}`);
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([400, 'no-store']);
  expect(errorOf(answer).message).toContain(`"${name}"`);
});

test('nothing of a launch is shown that is not public', async () => {
  await market.launch();
  const answer = await market.app().inject(URL);
  expect(answer.body).not.toMatch(/seedId|seed_id|wire|message|submittedSignature|seed-1/);
});

test('the answer may be cached for two seconds, and HEAD has its headers', async () => {
  const head = await market.app().inject({ method: 'HEAD', url: URL });
  expect(head.headers['cache-control']).toBe('public, max-age=0, s-maxage=2, stale-while-revalidate=10');
  expect(head.body).toBe('');
});
