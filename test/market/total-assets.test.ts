import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { connect, transaction } from '../../db/connect.ts';
import * as tokens from '../../db/tokens.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { quotaOf } from '../support/api/quota-of.ts';
import { testApp } from '../support/api/test-app.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const URL = '/api/public/total-assets';
const market = useMarketApp();

interface Index {
  readonly data: {
    readonly platform: { readonly logoUrl: string };
    readonly pagination: { readonly limit: number; readonly offset: number; readonly hasMore: boolean };
    readonly assets: readonly Record<string, unknown>[];
  };
}

const read = async (query = '') => (await market.app().inject(`${URL}${query}`)).json<Index>().data;
const addresses = async (query: string) => (await read(query)).assets.map((asset) => asset['address']);

describe('an entry', () => {
  test('has identity only, and the answer the platform’s logo and whether there is more', async () => {
    const { mint } = await market.launch({ launchedAt: new Date('2026-11-21T09:30:00Z') });
    const token = await tokens.byMint(market.db(), mint);
    const data = await read();
    expect(data.pagination).toEqual({ limit: 500, offset: 0, order: 'oldest', hasMore: false });
    expect(data.assets).toEqual([
      {
        address: mint,
        name: 'Harbour Light',
        symbol: 'HARBOR',
        decimals: 9,
        logoUrl: 'https://store.example/logo.png',
        url: 'https://site.example/token',
        pool: token?.pool,
        quoteMint: market.quoteMint,
        quoteSymbol: 'USDQ',
        creator: token?.creator,
        createdAt: '2026-11-21T09:30:00.000Z',
      },
    ]);
  });

  test('the logo it names is there', async () => {
    const { logoUrl } = (await read()).platform;
    const logo = await market.app().inject(new globalThis.URL(logoUrl).pathname);
    expect([logo.statusCode, logo.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });
});

describe('pages', () => {
  test('limit and offset out of range are taken as the nearest in range, and what is unknown is ignored', async () => {
    expect((await read('?limit=1001')).pagination.limit).toBe(1_000);
    expect((await read('?limit=900000000')).pagination.limit).toBe(1_000);
    expect((await read('?limit=0&offset=-1&page=2')).pagination).toMatchObject({ limit: 1, offset: 0 });
  });

  test('of either order cover every token once', async () => {
    await market.launch();
    await market.launch();
    const all = await addresses('?limit=100');
    const paged = [await addresses('?limit=2'), await addresses('?limit=2&offset=2')];
    expect(paged.flat()).toEqual(all);
    expect(await addresses('?limit=100&order=newest')).toEqual([...all].reverse());
    expect((await read('?limit=2')).pagination.hasMore).toBe(true);
    expect((await read('?limit=2&offset=2')).pagination.hasMore).toBe(false);
    expect(await addresses('?offset=99')).toEqual([]);
  });

  test('miss and repeat nothing while launches are recorded out of the order of their blocks', async () => {
    const slice = (offset: number) => tokens.assetIndex(market.db(), { limit: 3, offset, order: 'oldest' });
    const made: string[] = [];
    // Each launch is of an earlier block than the one before it, and some take long to commit.
    const launches = Array.from({ length: 24 }, async (_, index) => {
      await sleep(Math.random() * 200);
      await transaction(market.db(), async (tx) => {
        const launchedAt = new Date(Date.UTC(2026, 10, 20, 12, 0, 60 - index));
        made.push((await launchedToken(tx, { launchedAt })).mint);
        await sleep(index % 3 === 0 ? 60 : 0);
      });
    });
    const seen: string[] = [];
    const recorded = Promise.all(launches).then(() => true);
    for (let finished = false, behind = true; !finished || behind;) {
      finished = (await Promise.race([recorded, sleep(5)])) === true;
      const page = await slice(seen.length);
      seen.push(...page.tokens.map(({ mint }) => mint));
      behind = page.tokens.length > 0;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made));
    // An answer is cached for a second: this query is of this test alone.
    expect(seen).toEqual(await addresses('?limit=997'));
  });

  test('a launch that a fork took back and that landed again is at the end, where it is not missed', async () => {
    const { mint } = await market.launch();
    await market.launch();
    await tokens.withdraw(market.db(), mint);
    const order = async () =>
      (await tokens.assetIndex(market.db(), { limit: 1_000, offset: 0, order: 'oldest' })).tokens.map(
        (token) => token.mint,
      );
    expect(await order()).not.toContain(mint);
    await market.db().updateTable('tokens').set({ withdrawnAt: null }).where('mint', '=', mint).execute();
    expect((await order()).at(-1)).toBe(mint);
  });
});

test('a hidden token is not in it, and keeps its place when it is shown again', async () => {
  const { mint } = await market.launch();
  const order = async () =>
    (await tokens.assetIndex(market.db(), { limit: 1_000, offset: 0, order: 'oldest' })).tokens.map(
      (token) => token.mint,
    );
  await market.launch();
  const before = await order();
  await tokens.setHidden(market.db(), mint, true, { actor: 'test' });
  expect(await order()).toEqual(before.filter((other) => other !== mint));
  await tokens.setHidden(market.db(), mint, false, { actor: 'test' });
  expect(await order()).toEqual(before);
});

test('any web page may read it, caches keep it for a minute, and its counter is its own', async () => {
  const answer = await market.app().inject({ url: URL, headers: { origin: 'https://exchange.example' } });
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=0, s-maxage=60',
  });
  const again = await market.app().inject({ url: URL, headers: { 'if-none-match': answer.headers.etag } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  // Refusals are kept by no cache, so they say where their client stands.
  const left = async () => quotaOf(await market.app().inject(`${URL}?limit=many`));
  const own = await left();
  expect(own.limit).toBe(300);
  await market.app().inject('/api/public/v1/tokens');
  await market.app().inject(URL);
  expect((await left()).remaining).toBe(own.remaining - 2);
});

test.each([
  ['?limit=many', 'limit'],
  ['?offset=1.5', 'offset'],
  ['?order=random', 'order'],
])('%s is refused by name, and the refusal is not cached', async (query, name) => {
  const answer = await market.app().inject(`${URL}${query}`);
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([400, 'no-store']);
  expect(errorOf(answer).message).toContain(`"${name}"`);
});

test('without a database it is 503 and not cached', async () => {
  const lost = await testApp({ db: connect('postgres://a:secretpw@127.0.0.1:1/none') });
  const answer = await lost.inject(URL);
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([503, 'no-store']);
  expect(answer.body).not.toContain('secretpw');
  await lost.close();
});
