import { beforeAll, describe, expect, test } from 'vitest';
import { type Judge, judgeByDocument } from '../../support/wire/document.ts';
import { useWireMarket } from '../../support/wire/wire-market.ts';
import { address } from '../../support/launch/launch-rows.ts';

const market = useWireMarket();

let judge: Judge;
beforeAll(async () => {
  judge = await judgeByDocument(market.app());
});

/** What HTTP clients send of themselves. */
const CLIENTS = {
  browser: { 'content-type': 'application/json', origin: 'https://site.example', 'sec-fetch-mode': 'cors' },
  edge: { accept: 'application/json', 'cf-connecting-ip': '203.0.113.9' },
  'node-fetch': {
    accept: '*/*',
    'user-agent': 'node-fetch',
    'accept-encoding': 'gzip, deflate, br',
    connection: 'close',
  },
  httpx: {
    accept: '*/*',
    'content-type': 'application/json',
    'accept-encoding': 'gzip, deflate',
    'user-agent': 'bot/1.0',
  },
  requests: { accept: 'application/json', 'user-agent': 'board/1.0 (+local)', 'accept-encoding': 'gzip, deflate' },
  urllib: { accept: 'application/json', 'user-agent': 'agent', connection: 'close' },
  undici: { accept: 'application/json', 'cache-control': 'no-cache', pragma: 'no-cache', 'sec-fetch-mode': 'cors' },
} as const;

interface Habit {
  readonly program: string;
  readonly client: keyof typeof CLIENTS;
  readonly asks: () => readonly string[];
}

const pages = (count: number, path: (page: number) => string) =>
  Array.from({ length: count }, (_, index) => path(index + 1));

/** Requests that programs of docs/compatibility.md were seen to send. */
const HABITS: readonly Habit[] = [
  {
    program: 'a scanner of new tokens',
    client: 'browser',
    asks: () => pages(5, (page) => `/tokens?sort=newest&page=${page}&pageSize=100`),
  },
  {
    program: 'a proxy at an edge',
    client: 'edge',
    asks: () => [
      '/tokens?sort=newest&mode=reward&pageSize=500',
      '/tokens?q=a&sort=volume&status=graduated&page=1',
      `/tokens?quoteMint=${market.quotes.usdc}&category=currency`,
    ],
  },
  {
    program: 'a reader of rewards',
    client: 'undici',
    asks: () => [
      ...pages(3, (page) => `/launches?mode=reward&pageSize=1&page=${page}`),
      '/rewards?limit=100',
      '/pairs',
      `/tokens/${market.mint('taxed')}`,
      `/tokens/${market.mint('taxed')}/rewards`,
    ],
  },
  {
    program: 'a board of burns',
    client: 'requests',
    asks: () => [
      `/tokens/${market.mint('platform')}/burns?limit=100`,
      `/tokens/${market.mint('platform')}`,
      '/revenue?limit=100',
      '/revenue/history',
      '/stats',
    ],
  },
  {
    program: 'a statistic of launches that samples deep pages',
    client: 'urllib',
    asks: () => [
      '/launches?pageSize=20&page=700',
      '/launches?pageSize=20&page=1800',
      `/tokens/${market.mint('ranked')}`,
    ],
  },
  {
    program: 'a hunter of early buyers',
    client: 'urllib',
    asks: () => pages(2, (page) => `/tokens?status=graduated&sort=marketCap&pageSize=50&page=${page}`),
  },
  { program: 'a poller of fees', client: 'node-fetch', asks: () => ['/tokens?sort=newest'] },
  {
    program: 'a watcher of pairs',
    client: 'undici',
    asks: () => ['/pairs', '/pairs?launchable=true', '/pairs?launchable=true&launchLabReady=true'],
  },
  {
    program: 'a launcher, before it launches',
    client: 'httpx',
    asks: () => ['/pairs?launchable=true', '/stats', `/tokens/${market.mint('untraded')}`],
  },
  {
    program: 'a typed reader',
    client: 'undici',
    asks: () => ['/tokens?page=1&pageSize=25', '/tokens?pageSize=25&q=token&sort=newest&page=1', '/pairs', '/rewards'],
  },
  {
    program: 'a prober',
    client: 'undici',
    asks: () => ['/tokens?sort=newest&limit=3', '/launches?limit=3', '/launches?since=2026-09-24T14:50:00Z&limit=5'],
  },
];

const get = (path: string, client: Habit['client']) =>
  market.app().inject({ method: 'GET', url: `/api/public/v1${path}`, headers: CLIENTS[client] });

test.each(HABITS)('$program, over $client, is answered as the document says', async ({ client, asks }) => {
  for (const path of asks()) {
    const answer = await get(path, client);
    expect([path, answer.statusCode, judge('GET', path, answer)]).toEqual([path, 200, []]);
    expect(answer.headers['content-encoding']).toBeUndefined();
  }
});

test('the judge sees a field that is missing, one that is not described, and a status that is not', async () => {
  const answer = await get('/stats', 'undici');
  const { data, meta } = answer.json<{ data: object; meta: object }>();
  const altered = (status: number, body: object) =>
    ({ ...answer, statusCode: status, json: () => body }) as typeof answer;
  expect(judge('GET', '/stats', altered(200, { data, meta }))).toEqual([]);
  expect(judge('GET', '/stats', altered(200, { data: { ...data, network: undefined }, meta }))).not.toEqual([]);
  expect(judge('GET', '/stats', altered(200, { data: { ...data, venue: 'pump' }, meta }))).not.toEqual([]);
  expect(judge('GET', '/stats', altered(418, { data, meta }))).not.toEqual([]);
});

/** What is asked, where, and what it is refused with. */
const IN_VAIN: readonly [string, () => string, number, string][] = [
  ['a page that is no number', () => '/tokens?page=x', 400, 'invalid_request'],
  ['a token that nobody launched', () => `/tokens/${address()}`, 404, 'not_found'],
  ['the status of a payment that nobody knows', () => `/launches/${'5'.repeat(88)}`, 404, 'not_found'],
];

describe('what programs ask in vain', () => {
  test.each(IN_VAIN)('%s: its error is in the document', async (_what, path, status, code) => {
    const answer = await get(path(), 'undici');
    expect([answer.statusCode, judge('GET', path(), answer)]).toEqual([status, []]);
    expect(answer.json<{ error: { code: string } }>().error.code).toBe(code);
  });

  test('prices of a venue that is not there are 404 not_found', async () => {
    const answer = await get(`/launchlab/pricing?quoteMint=${market.quotes.usdc}`, 'undici');
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([404, 'not_found']);
  });
});

test('two sweeps over the ledger, a row a page, agree with each other and with their counts', async () => {
  const sweep = async () => {
    const mints: string[] = [];
    for (let page = 1; ; page++) {
      const { launches, pagination } = (await market.read(`/launches?pageSize=1&page=${page}`)) as unknown as Ledger;
      expect([pagination.page, pagination.pageSize, launches.length]).toEqual([page, 1, 1]);
      mints.push(...launches.map(({ mint }) => mint));
      if (page >= pagination.totalPages) return { mints, total: pagination.total };
    }
  };
  const [first, second] = [await sweep(), await sweep()];
  expect(second).toEqual(first);
  expect([new Set(first.mints).size, first.mints.length]).toEqual([first.total, first.total]);
});

interface Ledger {
  readonly launches: readonly { readonly mint: string }[];
  readonly pagination: Readonly<Record<'page' | 'pageSize' | 'total' | 'totalPages', number>>;
}
