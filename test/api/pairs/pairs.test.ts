import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiInstance } from '../../../api/instance.ts';
import type { Static } from 'typebox';
import type { PairSchema } from '../../../api/pairs/pairs.get.ts';
import { connect, type Db } from '../../../db/connect.ts';
import * as pairs from '../../../db/pairs.ts';
import type { PairListing } from '../../../db/pairs.ts';
import * as prices from '../../../db/prices/prices.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { errorOf } from '../../support/api/errors-of.ts';
import { testApp } from '../../support/api/test-app.ts';
import { withinOnePeriod } from '../../support/api/within-one-period.ts';
import { listPair } from '../../support/api/test-pairs.ts';

const URL = '/api/public/v1/pairs';
const NOW = new Date('2026-11-21T12:00:00Z');
const by = { actor: 'test' };

type PairAnswer = Static<typeof PairSchema>;

let db: Db;
let app: ApiInstance;
let listed: Record<'stable' | 'retired' | 'closed' | 'token2022', PairListing>;

beforeAll(async () => {
  db = connect((await createTestDatabase()).url);
  listed = {
    stable: await listPair(db, { symbol: 'AAA' }),
    retired: await listPair(db, { symbol: 'BBB' }),
    closed: await listPair(db, { symbol: 'CCC', category: 'old' }),
    token2022: await listPair(db, { symbol: 'DDD', category: 'meme', logoUrl: 'https://example.com/d.png' }),
  };
  await pairs.retire(db, listed.retired.mint, by);
  await pairs.setCategoryRetired(db, 'old', true, by);
  app = await testApp({ db, now: () => NOW });
});
afterAll(async () => {
  await app.close();
  await db.destroy();
});

async function readPairs(query = ''): Promise<PairAnswer[]> {
  const answer = await app.inject(`${URL}${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ data: { pairs: PairAnswer[] } }>().data.pairs;
}

function observation(mint: string, usd: string, secondsAgo: number) {
  return { mint, usd, source: 'test', observedAt: new Date(NOW.getTime() - secondsAgo * 1000) };
}

const symbols = async (query: string) => (await readPairs(query)).map(({ symbol }) => symbol);

test('all pairs come with what a launch needs to know of them', async () => {
  expect(await symbols('')).toEqual(['AAA', 'BBB', 'CCC', 'DDD']);
  const { mint, tokenProgram } = listed.token2022;
  expect((await readPairs('?category=meme'))[0]).toEqual({
    mint,
    symbol: 'DDD',
    category: 'meme',
    categoryLabel: 'Meme',
    name: 'Dollar X',
    decimals: 6,
    tokenProgram,
    logoUrl: 'https://example.com/d.png',
    launchable: true,
    symbolAmbiguous: false,
    devBuysEnabled: true,
  });
});

test('launchable=true leaves out retired pairs and pairs of retired categories; false is no filter', async () => {
  expect(await symbols('?launchable=true')).toEqual(['AAA', 'DDD']);
  expect(await symbols('?launchable=false')).toEqual(['AAA', 'BBB', 'CCC', 'DDD']);
  const flags = Object.fromEntries((await readPairs()).map(({ symbol, launchable }) => [symbol, launchable]));
  expect(flags).toEqual({ AAA: true, BBB: false, CCC: false, DDD: true });
});

test('filters combine, and an unknown category is an empty list', async () => {
  expect(await symbols('?category=stable&launchable=true')).toEqual(['AAA']);
  expect(await symbols('?category=nothing')).toEqual([]);
});

test('a price is shown while it is fresh enough for its pair, the newest one', async () => {
  const { mint } = await listPair(db, { symbol: 'PPP', category: 'fed', priceSource: 'pyth' });
  const priceOf = async () => (await readPairs('?category=fed'))[0]?.priceUsd;
  await prices.record(db, [observation(mint, '0.99', 90)]);
  expect(await priceOf()).toBeUndefined();
  await prices.record(db, [observation(mint, '1.0001', 30), observation(mint, '1.5', 50)]);
  expect(await priceOf()).toBe(1.0001);
});

test('a price that was set by hand holds until it is set anew', async () => {
  const { mint } = await listPair(db, { symbol: 'QQQ', category: 'manual', priceSource: 'fixed' });
  await prices.record(db, [observation(mint, '64250.5', 1_000_000)]);
  expect((await readPairs('?category=manual'))[0]?.priceUsd).toBe(64_250.5);
});

test('the answer may be cached and is not sent again to who has it', async () => {
  const { first, etag, again } = await withinOnePeriod(async () => {
    const { headers } = await app.inject(URL);
    const known = headers.etag ?? '';
    return { first: headers, etag: known, again: await app.inject({ url: URL, headers: { 'if-none-match': known } }) };
  });
  expect(first['cache-control']).toBe('public, max-age=0, s-maxage=10, stale-while-revalidate=20');
  expect([again.statusCode, again.body]).toEqual([304, '']);
  await listPair(db, { ...listed.stable, name: 'Renamed' });
  expect((await app.inject({ url: URL, headers: { 'if-none-match': etag } })).statusCode).toBe(200);
});

test.each([['?launchable=maybe', 'query parameter "launchable" must be true or false, got "maybe"']])(
  '%s is refused',
  async (query, message) => {
    const answer = await app.inject(`${URL}${query}`);
    expect([answer.statusCode, errorOf(answer).message]).toEqual([400, message]);
    expect(answer.headers['cache-control']).toBe('no-store');
  },
);

test('a category that no name can be is 400, an empty one no filter, and what is unknown is ignored', async () => {
  const answer = await app.inject(`${URL}?category=%00`);
  expect([answer.statusCode, errorOf(answer).code]).toEqual([400, 'invalid_request']);
  expect((await symbols('?category=&launchLabReady=true')).length).toBe((await symbols('')).length);
});

test('symbols that several pairs have, in any case, are marked, also where a filter leaves one of them', async () => {
  await listPair(db, { symbol: 'SAMEx', category: 'one' });
  await listPair(db, { symbol: 'samEX', category: 'two' });
  const answer = await app.inject(`${URL}?category=one`);
  expect(answer.json()).toMatchObject({
    data: { pairs: [{ symbol: 'SAMEx', symbolAmbiguous: true }], selectBy: 'mint', ambiguousSymbolCount: 1 },
  });
});

test('SQL in a filter is a text that no category is called', async () => {
  expect(await symbols(`?category=${encodeURIComponent("' or 1=1 --")}`)).toEqual([]);
});

test('without a database the answer is 503, retryable, and not cached', async () => {
  const lost = await testApp({ db: connect('postgres://a:secretpw@127.0.0.1:1/none') });
  const answer = await lost.inject(URL);
  expect([answer.statusCode, errorOf(answer).code]).toEqual([503, 'service_unavailable']);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.body).not.toMatch(/secretpw|127\.0\.0\.1/);
  await lost.close();
});
