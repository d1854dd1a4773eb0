import { expect, test } from 'vitest';
import { expectShape } from '../../support/wire/dialect.ts';
import { Launches, OneToken, Stats, Tokens } from '../../support/wire/shapes.ts';
import { type TokenName, useWireMarket } from '../../support/wire/wire-market.ts';

const market = useWireMarket();

interface Token {
  readonly mint: string;
  readonly market: Readonly<Record<string, number>>;
  readonly [field: string]: unknown;
}
interface Page {
  readonly tokens: readonly Token[];
  readonly pagination: Readonly<Record<'page' | 'pageSize' | 'total' | 'totalPages', number>>;
  readonly network: string;
}

const list = async (query = '') => (await market.read(`/tokens${query}`)) as unknown as Page;
const tokenOf = async (name: TokenName) => {
  const { token } = (await market.read(`/tokens/${market.mint(name)}`)) as unknown as { token: Token };
  return token;
};

test('a list and a token alone have every field that programs read, of its type', async () => {
  expectShape(Tokens, await list());
  for (const name of ['platform', 'graduated', 'ranked', 'taxed', 'taxedMore', 'untraded'] as const) {
    expectShape(OneToken, await market.read(`/tokens/${market.mint(name)}`));
  }
});

test('the network is named as clients of the field require it', async () => {
  expect((await list()).network).toBe('mainnet-beta');
  expect(await market.read('/stats')).toMatchObject({ network: 'mainnet-beta' });
});

test('flat names of the specification stand beside the nested ones, and say the same', async () => {
  for (const token of (await list()).tokens) {
    const quote = token['quote'] as { mint: string; symbol: string };
    expect([token['address'], token['imageUrl']]).toEqual([token.mint, token['logoUrl']]);
    expect([token['quoteMint'], token['quoteSymbol']]).toEqual([quote.mint, quote.symbol]);
  }
});

test('the paired token has its category by name and for people; without a logo of its own it has the platform’s', async () => {
  const ranked = await tokenOf('ranked');
  expect(ranked['quote']).toMatchObject({
    symbol: 'NVDAx',
    category: 'xstock',
    categoryLabel: 'xStock',
    logoUrl: 'http://127.0.0.1:8080/logo.svg',
  });
  const { tokens } = await list('?category=xstock');
  expect(tokens.map(({ mint }) => mint)).toEqual([market.mint('ranked')]);
});

test('market figures are numbers, a change in percent; what is not known is left out and never null', async () => {
  const [graduated, ranked, taxed] = [await tokenOf('graduated'), await tokenOf('ranked'), await tokenOf('taxed')];
  expect(graduated.market).toMatchObject({
    priceUsd: 0.000010001,
    marketCapUsd: 41_000,
    fdvUsd: 41_000,
    volume24hUsd: 10,
    peakMarketCapUsd: 12_000.5,
    priceChange24h: -3.25,
    liquidityUsd: 2_100,
  });
  expect(ranked.market).not.toHaveProperty('priceChange24h');
  expect(taxed.market).not.toHaveProperty('liquidityUsd');
  for (const { market: figures } of (await list()).tokens) expect(Object.values(figures)).not.toContain(null);
});

test('progress is a share of one, and whole once a token has graduated, which alone says since when', async () => {
  const [graduated, ranked, taxed] = [await tokenOf('graduated'), await tokenOf('ranked'), await tokenOf('taxed')];
  expect([graduated, ranked, taxed].map((token) => token['graduationProgress'])).toEqual([1, 0.8, 0.175006]);
  expect([graduated, ranked, taxed].map((token) => token['status'])).toEqual(['graduated', 'aboutToGraduate', 'new']);
  expect([graduated, ranked, taxed].map((token) => 'graduatedAt' in token)).toEqual([true, false, false]);
});

test('the tax stands on reward tokens alone, the flywheel on ranked ones alone', async () => {
  const { tokens } = await list();
  const taxes = tokens.filter((token) => 'transferFee' in token).map(({ mint, transferFee }) => [mint, transferFee]);
  expect(taxes).toEqual([
    [market.mint('taxed'), { bps: 100 }],
    [market.mint('taxedMore'), { bps: 300 }],
  ]);
  const ranked = tokens.filter((token) => 'flywheel' in token).map(({ mint, flywheel }) => [mint, flywheel]);
  expect(ranked).toEqual([[market.mint('ranked'), { active: true }]]);
});

test('links are what the creator gave, and empty for a token that names none', async () => {
  expect((await tokenOf('untraded'))['links']).toEqual({});
  expect((await tokenOf('ranked'))['links']).toEqual({ website: 'https://harbour.example' });
  expect((await tokenOf('graduated'))['links']).toEqual({
    website: 'https://w.example',
    twitter: 'https://x.com/w',
    telegram: 'https://t.me/w',
  });
});

test('a token that was launched here has its launch beside it; a quote token is 404', async () => {
  const { launch } = await market.read(`/tokens/${market.mint('taxed')}`);
  expect(launch).toMatchObject({ mint: market.mint('taxed'), mode: 'reward', transferFee: { bps: 100 } });
  expect((await market.app().inject(`/api/public/v1/tokens/${market.quotes.usdc}`)).statusCode).toBe(404);
});

test.each([
  ['', ['graduated', 'ranked', 'platform', 'taxed', 'taxedMore', 'untraded']],
  ['?sort=newest', ['untraded', 'taxedMore', 'taxed', 'ranked', 'graduated', 'platform']],
  ['?sort=volume', ['ranked', 'taxed', 'graduated', 'platform', 'taxedMore', 'untraded']],
] as const)('tokens%s are in the order that it names', async (query, names) => {
  expect((await list(query)).tokens.map(({ mint }) => mint)).toEqual(names.map((name) => market.mint(name)));
});

test.each([
  ['pageSize=500', { page: 1, pageSize: 100, total: 6, totalPages: 1 }],
  ['pageSize=4&page=0', { page: 1, pageSize: 4, total: 6, totalPages: 2 }],
  ['pageSize=4&page=99', { page: 2, pageSize: 4, total: 6, totalPages: 2 }],
  ['category=nothing', { page: 1, pageSize: 25, total: 0, totalPages: 0 }],
])('pages of tokens and launches are clamped alike: %s', async (query, pagination) => {
  const expected = { ...pagination, hasMore: pagination.page < pagination.totalPages };
  expect((await list(`?${query}`)).pagination).toEqual(expected);
  if (query.startsWith('category')) return;
  expect((await market.read(`/launches?${query}`))['pagination']).toEqual(expected);
});

interface Ledger {
  readonly launches: readonly { readonly mint: string; readonly createdAt: string }[];
  readonly pagination: Page['pagination'];
}
const ledger = async (query: string) => (await market.read(`/launches${query}`)) as unknown as Ledger;

test('launches have every field that programs read, the newest first', async () => {
  const answer = await ledger('');
  expectShape(Launches, answer);
  const times = answer.launches.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted().reverse());
});

test('a pass over all launches sees each once, on the pages that it asked for, and as many as are announced', async () => {
  const seen: string[] = [];
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    const { launches, pagination } = await ledger(`?pageSize=4&page=${page}`);
    expect([pagination.page, pagination.total]).toEqual([page, 6]);
    pages = pagination.totalPages;
    seen.push(...launches.map(({ mint }) => mint));
  }
  expect([pages, seen.length, new Set(seen).size]).toEqual([2, 6, 6]);
});

test('`since` takes in the launch of that very moment', async () => {
  const [newest, second] = (await ledger('')).launches;
  expect((await ledger(`?since=${newest?.createdAt}`)).launches).toHaveLength(1);
  expect((await ledger(`?since=${second?.createdAt}`)).launches).toHaveLength(2);
});

test('a launch opens at the market cap of its quote, and aims at the usual one', async () => {
  const { launches } = (await market.read('/launches')) as unknown as { launches: Record<string, unknown>[] };
  for (const launch of launches) {
    expect(launch).toMatchObject({ startMarketCapUsd: 5_001.2, targetMarketCapUsd: 5_000, launchpad: 'raydium' });
    expect(Object.keys(launch['quote'] as object)).toEqual(expect.arrayContaining(['mint', 'symbol']));
  }
});

test('stats have the totals that programs show, and a flat config of numbers and switches', async () => {
  const stats = await market.read('/stats');
  expectShape(Stats, stats);
  expect(stats['tokens']).toMatchObject({
    poolsAvailable: true,
    total: 6,
    graduated: 1,
    aboutToGraduate: 1,
    rewardLaunches: 2,
  });
  expect(stats['config']).toMatchObject({
    graduationMarketCapUsd: 40_000,
    aboutToGraduateMarketCapUsd: 32_000,
    paidLaunchesEnabled: true,
    apiLaunchesEnabled: true,
    rewardLaunchesEnabled: true,
    devBuysEnabled: true,
    airdropsEnabled: true,
    claimsEnabled: true,
    pumpLaunchesEnabled: false,
    launchLabEnabled: false,
    devBuyMaxPercent: 2.5,
    airdropMaxPercent: 50,
  });
});
