import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiInstance } from '../../api/instance.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as tokens from '../../db/tokens.ts';
import { launchedToken, rewardFacts, type TokenFacts } from '../support/launch/launched-token.ts';
import { address } from '../support/launch/launch-rows.ts';
import { createTestDatabase } from '../setup/database.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { withinOnePeriod } from '../support/api/within-one-period.ts';
import { testApp } from '../support/api/test-app.ts';
import { listPair } from '../support/api/test-pairs.ts';

const URL = '/api/public/v1/tokens';
const QUOTE = address();

let db: Db;
let app: ApiInstance;
const mints: Record<string, string> = {};

/** Three standard tokens and a reward one, of different age, cap and volume. */
const TOKENS: Record<string, TokenFacts> = {
  harbour: {
    token: { name: 'Harbour Light', symbol: 'HARBOR' },
    launchedAt: new Date('2026-11-21T10:00:00Z'),
    market: { marketCapUsd: '41000', volume24hUsd: '10', status: 'graduated' },
  },
  moon: {
    token: { name: 'Moon Rocket', symbol: 'MOON', quoteMint: QUOTE, quoteSymbol: 'USDQ' },
    launchedAt: new Date('2026-11-21T11:00:00Z'),
    market: { marketCapUsd: '32000', volume24hUsd: '99.5', status: 'aboutToGraduate' },
  },
  reward: {
    terms: rewardFacts(300).terms,
    token: { ...rewardFacts(300).token, name: 'Tide Pool', symbol: 'TIDE' },
    launchedAt: new Date('2026-11-21T12:00:00Z'),
    market: { marketCapUsd: '7000.25', volume24hUsd: '50' },
  },
  untraded: { token: { name: 'Ärger 🚀🚀🚀', symbol: '月亮' }, launchedAt: new Date('2026-11-21T13:00:00Z') },
};

beforeAll(async () => {
  db = connect((await createTestDatabase()).url);
  await listPair(db, { mint: QUOTE, symbol: 'USDQ', category: 'stable' });
  for (const [name, facts] of Object.entries(TOKENS)) mints[name] = (await launchedToken(db, facts)).mint;
  app = await testApp({ db });
});
afterAll(async () => {
  await app.close();
  await db.destroy();
});

interface Answer {
  readonly data: {
    readonly tokens: readonly { readonly mint: string; readonly [field: string]: unknown }[];
    readonly sort: string;
    readonly pagination: object;
    readonly network: string;
  };
  readonly meta: { readonly generatedAt: string };
}

const read = async (query = '') => (await app.inject(`${URL}${query}`)).json<Answer>();

/** Names of the tokens that a query lists, in order. */
async function names(query = ''): Promise<(string | undefined)[]> {
  const byMint = new Map(Object.entries(mints).map(([name, mint]) => [mint, name]));
  return (await read(query)).data.tokens.map(({ mint }) => byMint.get(mint));
}

describe('what a token shows', () => {
  test('every field of the specification and of the field, figures as numbers', async () => {
    const mint = mints['moon']!;
    const token = await tokens.byMint(db, mint);
    const { data, meta } = await read(`?q=${mint}`);
    expect(Date.parse(meta.generatedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(data.network).toBe('localnet');
    expect(data.pagination).toEqual({ page: 1, pageSize: 25, total: 1, totalPages: 1, hasMore: false });
    expect(data.tokens).toEqual([
      {
        address: mint,
        mint,
        name: 'Moon Rocket',
        symbol: 'MOON',
        decimals: 9,
        launchpad: 'raydium',
        logoUrl: 'https://store.example/logo.png',
        imageUrl: 'https://store.example/logo.png',
        url: 'https://site.example/token',
        metadataUri: 'https://store.example/metadata.json',
        links: { website: 'https://harbour.example' },
        pool: token?.pool,
        creator: token?.creator,
        quoteMint: QUOTE,
        quoteSymbol: 'USDQ',
        quoteOnlyFees: false,
        quote: {
          mint: QUOTE,
          symbol: 'USDQ',
          name: 'Dollar X',
          decimals: 6,
          logoUrl: 'http://127.0.0.1:8080/logo.svg',
          category: 'stable',
          categoryLabel: 'Stable',
        },
        createdAt: '2026-11-21T11:00:00.000Z',
        mode: 'standard',
        status: 'aboutToGraduate',
        graduationProgress: 0.8,
        market: {
          priceUsd: 0.000010001,
          priceQuote: 0.00001,
          marketCapUsd: 32_000,
          fdvUsd: 32_000,
          peakMarketCapUsd: 12_000.5,
          volume24hUsd: 99.5,
          liquidityUsd: 2_100,
          priceChange24h: -3.25,
        },
      },
    ]);
  });

  test('the transfer tax on reward tokens only, and no flywheel while nothing ranks', async () => {
    const { data } = await read();
    const taxed = data.tokens.filter((token) => 'transferFee' in token);
    expect(taxed.map(({ mint, transferFee }) => [mint, transferFee])).toEqual([[mints['reward'], { bps: 300 }]]);
    expect(data.tokens.filter((token) => 'flywheel' in token)).toEqual([]);
  });

  test('a token that has not traded yet stands at its opening market cap; what is not known is left out', async () => {
    const [token] = (await read(`?q=${mints['untraded']}`)).data.tokens;
    expect(token?.['status']).toBe('new');
    expect(token?.['market']).toEqual({
      marketCapUsd: 5_001.2,
      fdvUsd: 5_001.2,
      peakMarketCapUsd: 5_001.2,
      priceUsd: 0.0000050012,
      priceQuote: expect.closeTo(0.0000050007, 10) as unknown,
      volume24hUsd: 0,
    });
  });
});

describe('orders, filters and pages', () => {
  test.each([
    ['', ['harbour', 'moon', 'reward', 'untraded']],
    ['?sort=marketCap', ['harbour', 'moon', 'reward', 'untraded']],
    ['?sort=newest', ['untraded', 'reward', 'moon', 'harbour']],
    ['?sort=volume', ['moon', 'reward', 'harbour', 'untraded']],
    ['?mode=reward', ['reward']],
    ['?mode=standard&sort=newest', ['untraded', 'moon', 'harbour']],
    ['?status=aboutToGraduate', ['moon']],
    ['?status=new', ['reward', 'untraded']],
    [`?quoteMint=${QUOTE}`, ['moon']],
    ['?category=stable', ['moon']],
    ['?category=nothing', []],
    ['?category=stable&status=graduated', []],
    ['?pageSize=3&page=2', ['untraded']],
    ['?pageSize=3&page=9', ['untraded']],
    ['?category=&q=', ['harbour', 'moon', 'reward', 'untraded']],
    ['?limit=1&launchLabReady=true&nocache=1', ['harbour', 'moon', 'reward', 'untraded']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each([
    ['?pageSize=3', { page: 1, pageSize: 3, total: 4, totalPages: 2 }],
    ['?pageSize=4', { page: 1, pageSize: 4, total: 4, totalPages: 1 }],
    ['?pageSize=3&page=2', { page: 2, pageSize: 3, total: 4, totalPages: 2 }],
    ['?pageSize=3&page=7', { page: 2, pageSize: 3, total: 4, totalPages: 2 }],
    ['?pageSize=3&page=99999999999999999999', { page: 2, pageSize: 3, total: 4, totalPages: 2 }],
    ['?pageSize=500', { page: 1, pageSize: 100, total: 4, totalPages: 1 }],
    ['?pageSize=0&page=0', { page: 1, pageSize: 1, total: 4, totalPages: 4 }],
    ['?pageSize=-5&page=-5', { page: 1, pageSize: 1, total: 4, totalPages: 4 }],
    ['?category=nothing', { page: 1, pageSize: 25, total: 0, totalPages: 0 }],
    ['?q=moon&page=3', { page: 1, pageSize: 25, total: 1, totalPages: 1 }],
  ])('%s is on %j', async (query, pagination) => {
    const hasMore = pagination.page < pagination.totalPages;
    expect((await read(query)).data.pagination).toEqual({ ...pagination, hasMore });
  });

  test('tokens of the same cap keep their order over pages', async () => {
    const quoteMint = address();
    const made = [];
    for (let count = 0; count < 7; count += 1) {
      made.push(
        (
          await launchedToken(db, {
            token: { quoteMint, name: 'Same', symbol: 'SAME' },
            market: { marketCapUsd: '7000' },
          })
        ).mint,
      );
    }
    const paged = [];
    for (const page of [1, 2, 3, 4])
      paged.push(...(await read(`?quoteMint=${quoteMint}&pageSize=2&page=${page}`)).data.tokens);
    expect(paged.map(({ mint }) => mint)).toEqual(made.sort().reverse());
  });
});

describe('search', () => {
  test.each([
    ['bour li', ['harbour']],
    ['HARB', ['harbour']],
    ['oon roc', ['moon']],
    ['  moon ', ['moon']],
    ['m', ['moon']],
    ['MO', ['moon']],
    ['oo', []],
    ['li', []],
    ['ärger', ['untraded']],
    ['🚀🚀🚀', ['untraded']],
    ['月', ['untraded']],
    ['100%', []],
    ['moon_', []],
    ['\\', []],
  ])('%s', async (q, expected) => {
    const { data } = await read(`?q=${encodeURIComponent(q)}`);
    // A made-up mint may begin with what a short search looks for.
    const found = data.tokens.map(({ mint }) => mint).filter((mint) => !mint.startsWith(q.trim()));
    expect(found).toEqual(expected.map((name) => mints[name]));
  });

  test('finds a token by its mint and the beginning of it, not by its end', async () => {
    const mint = mints['moon']!;
    expect(await names(`?q=${mint}`)).toEqual(['moon']);
    expect(await names(`?q=${mint.slice(0, 8)}`)).toEqual(['moon']);
    expect(await names(`?q=${mint.slice(-20)}`)).toEqual([]);
  });

  test('combines with filters', async () => {
    expect(await names('?q=moon&status=graduated')).toEqual([]);
    expect(await names('?q=moon&status=aboutToGraduate&category=stable')).toEqual(['moon']);
  });
});

describe('a hidden token', () => {
  test('leaves list and search within the time of the cache, and comes back', async () => {
    const { mint } = await launchedToken(db, { token: { name: 'Brand Copy', symbol: 'COPY' } });
    const listed = async () => (await read('?q=brand%20copy')).data.tokens.map((token) => token.mint);
    expect(await listed()).toEqual([mint]);
    await tokens.setHidden(db, mint, true, { actor: 'test' });
    await expect.poll(listed, { interval: 200 }).toEqual([]);
    await tokens.setHidden(db, mint, false, { actor: 'test' });
    await expect.poll(listed, { interval: 200 }).toEqual([mint]);
  });
});

describe('a sort that nobody knows', () => {
  test.each(['marketcap', 'volume24h', 'oldest', 'bogus', ''])(
    'sort=%s is the default, and `sort` says so',
    async (sort) => {
      const { data } = await read(`?sort=${sort}`);
      expect(data.sort).toBe('marketCap');
      expect(data.tokens).toEqual((await read('')).data.tokens);
    },
  );

  test.each(['marketCap', 'newest', 'volume'])('sort=%s is said, too', async (sort) => {
    expect((await read(`?sort=${sort}`)).data.sort).toBe(sort);
  });
});

describe('what is refused', () => {
  test.each([
    ['?mode=both', 'query parameter "mode" must be one of standard, reward, got "both"'],
    ['?status=old', 'query parameter "status" must be one of new, aboutToGraduate, graduated, got "old"'],
    ['?page=1.5', 'query parameter "page" must be a whole number, got "1.5"'],
    ['?pageSize=many', 'query parameter "pageSize" must be a whole number, got "many"'],
    ['?q=a&q=b', 'query parameter "q" is given 2 times; give it once'],
  ])('%s', async (query, message) => {
    const answer = await app.inject(`${URL}${query}`);
    expect([answer.statusCode, errorOf(answer).message]).toEqual([400, message]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test.each(['?q=%00', `?q=${'x'.repeat(65)}`, '?quoteMint=short', '?category=a%07'])('%s, by name', async (query) => {
    const answer = await app.inject(`${URL}${query}`);
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer).message).toContain(`query parameter "${query.slice(1).split('=')[0]}"`);
  });

  test('SQL in a search is a text that no token is called', async () => {
    for (const q of ["' or true --", "'; drop table tokens; --", '") or 1=1']) {
      expect(await names(`?q=${encodeURIComponent(q)}`)).toEqual([]);
    }
    expect(await names('?pageSize=1')).toEqual(['harbour']);
  });
});

describe('caching', () => {
  test('the answer says how long caches may keep it, and is not sent again to who has it', async () => {
    const { first, etag, again } = await withinOnePeriod(async () => {
      const { headers } = await app.inject(`${URL}?pageSize=2`);
      const known = headers.etag ?? '';
      const spellings = [known, known.slice(2), `"other", ${known}`, '*'];
      const ask = (spelling: string) =>
        app.inject({ url: `${URL}?pageSize=2`, headers: { 'if-none-match': spelling } });
      return { first: headers, etag: known, again: await Promise.all(spellings.map(ask)) };
    });
    expect(first['cache-control']).toBe('public, max-age=0, s-maxage=2, stale-while-revalidate=10');
    for (const { statusCode, body, headers } of again)
      expect([statusCode, body, headers.etag]).toEqual([304, '', etag]);
    const other = await app.inject({ url: `${URL}?pageSize=2`, headers: { 'if-none-match': '"other"' } });
    expect(other.statusCode).toBe(200);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const [get, head] = [await app.inject(URL), await app.inject({ method: 'HEAD', url: URL })];
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', get.headers.etag]);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test('without a database the answer is 503, retryable, and not cached', async () => {
    const lost = await testApp({ db: connect('postgres://a:secretpw@127.0.0.1:1/none') });
    const answer = await lost.inject(URL);
    expect([answer.statusCode, errorOf(answer).code, answer.headers['cache-control']]).toEqual([
      503,
      'service_unavailable',
      'no-store',
    ]);
    expect(answer.headers.etag).toBeUndefined();
    expect(answer.body).not.toMatch(/secretpw|127\.0\.0\.1/);
    await lost.close();
  });
});
