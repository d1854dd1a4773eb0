import { describe, expect, test } from 'vitest';
import { UNCHANGED_SECONDS } from '../../../api/envelope.ts';
import { errorOf } from '../../support/api/errors-of.ts';
import { quotaOf } from '../../support/api/quota-of.ts';
import { address } from '../../support/launch/launch-rows.ts';
import { breachesOf, expectShape } from '../../support/wire/dialect.ts';
import { Envelope } from '../../support/wire/shapes.ts';
import { useWireMarket } from '../../support/wire/wire-market.ts';

const market = useWireMarket();

/** Every read, and what it is asked. */
const READS: Readonly<Record<string, () => string>> = {
  tokens: () => '/tokens',
  'a standard token': () => `/tokens/${market.mint('graduated')}`,
  'a reward token': () => `/tokens/${market.mint('taxed')}`,
  'a token without trades': () => `/tokens/${market.mint('untraded')}`,
  candles: () => `/tokens/${market.mint('graduated')}/candles`,
  trades: () => `/tokens/${market.mint('graduated')}/trades`,
  burns: () => `/tokens/${market.mint('platform')}/burns`,
  'rewards of a reward token': () => `/tokens/${market.mint('taxedMore')}/rewards`,
  'rewards of a standard token': () => `/tokens/${market.mint('graduated')}/rewards`,
  'rounds of a reward token': () => `/tokens/${market.mint('taxedMore')}/rewards/rounds`,
  'who got nothing of a round': () => `/tokens/${market.mint('taxedMore')}/rewards/rounds/1/left-out`,
  airdrop: () => `/tokens/${market.mint('taxed')}/airdrop`,
  launches: () => '/launches',
  pairs: () => '/pairs',
  rewards: () => '/rewards',
  revenue: () => '/revenue',
  'revenue by day': () => '/revenue/history',
  'own wallets': () => '/platform/wallets',
  'the newest log': () => '/platform/log',
  'the statement of a pot': () => `/tokens/${market.mint('taxedMore')}/rewards/statement`,
  stats: () => '/stats',
};
const reads = Object.entries(READS);

/** Age of an answer that has just been sent: kept in memory, and unchanged for whoever asks by its ETag. */
const MADE_BEFORE_SECONDS = 5 + UNCHANGED_SECONDS;

describe.each(reads)('%s', (_name, path) => {
  test('is JSON in the envelope, made within the last minute', async () => {
    const answer = await market.get(path());
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const body = answer.json<{ meta: { generatedAt: string } }>();
    expectShape(Envelope, body);
    const age = Date.now() - Date.parse(body.meta.generatedAt);
    expect(age).toBeGreaterThan(-1_000);
    expect(age).toBeLessThan(60_000);
  });

  test('has numbers for figures, exact texts beside them, and moments in one form', async () => {
    expect(breachesOf(await market.read(path()))).toEqual([]);
  });

  test('takes no notice of parameters that it does not know', async () => {
    const asked = `${path()}?launchLabReady=true&nocache=1700000000&quote=USDC&limits=5&__proto__=x&y=%00`;
    expect((await market.get(asked)).statusCode).toBe(200);
  });

  test('may be kept by shared caches, and is never a redirect', async () => {
    for (const asked of [path(), `${path()}?nocache=2`]) {
      const { statusCode, headers } = await market.get(asked);
      expect([statusCode, headers.location]).toEqual([200, undefined]);
      expect(headers['cache-control']).toMatch(/^public, .*s-maxage=\d+/);
    }
  });

  test('is at most a minute old by its own time when a shared cache serves it last', async () => {
    const { headers } = await market.get(path());
    const [seconds = 0, stale = 0] = (
      String(headers['cache-control']).match(/(?<=s-maxage=|revalidate=)\d+/g) ?? []
    ).map(Number);
    expect(MADE_BEFORE_SECONDS + seconds + stale).toBeLessThanOrEqual(60);
  });

  test('has rate headers that count down, so that a client can pace itself by them', async () => {
    const [first, second] = [quotaOf(await market.get(path())), quotaOf(await market.get(path()))];
    expect([first.limit, second.limit]).toEqual([1_000_000, 1_000_000]);
    expect(second.remaining).toBe(first.remaining - 1);
    expect(Math.abs(second.reset - Date.now() / 1_000)).toBeLessThan(120);
  });

  test('repeats no request id, which another client would get from a shared cache', async () => {
    const headers = { 'x-request-id': 'trace-of-one' };
    const answer = await market.app().inject({ url: `/api/public/v1${path()}`, headers });
    expect(JSON.stringify([answer.headers, answer.body])).not.toContain('trace-of-one');
  });

  test('lets a page of any origin read its headers', async () => {
    const answer = await market.get(path());
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const exposed = String(answer.headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after']),
    );
  });
});

const REWARDS = ['/rewards', '/rewards/rounds', '/rewards/rounds/1/left-out'];
const OF_A_MINT = ['', '/burns', ...REWARDS, '/airdrop', '/fees', '/candles', '/trades', '/holders'];

describe.each(OF_A_MINT)('/tokens/{mint}%s', (rest) => {
  test('is 400 for what is no mint, and 404 not_found for one that nobody knows', async () => {
    const [malformed, unknown] = [
      await market.get(`/tokens/0OIl${rest}`),
      await market.get(`/tokens/${address()}${rest}`),
    ];
    expect([malformed.statusCode, errorOf(malformed).code]).toEqual([400, 'invalid_request']);
    expect([unknown.statusCode, errorOf(unknown).code]).toEqual([404, 'not_found']);
  });
});

test('a page of any origin may GET and POST, and send JSON', async () => {
  const { headers } = await market.app().inject({
    method: 'OPTIONS',
    url: '/api/public/v1/launches/prepare',
    headers: {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, if-none-match',
    },
  });
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-methods']).toBe('GET, POST, OPTIONS');
  const allowed = String(headers['access-control-allow-headers']).split(', ');
  expect(allowed).toEqual(expect.arrayContaining(['content-type', 'if-none-match', 'cache-control', 'pragma']));
});

describe.each(['burns', 'rewards', 'revenue'] as const)('limit of %s', (name) => {
  const withLimit = async (limit: string) => market.get(`${READS[name]?.() ?? ''}?limit=${limit}`);

  test.each(['0', '-7', '101', '500', '10000', '99999999999999999999', '20.0', '%2B20', '%2020%20', '020'])(
    '%s is taken as the nearest in range',
    async (limit) => {
      expect((await withLimit(limit)).statusCode).toBe(200);
    },
  );

  test('an empty one is as if it were not there', async () => {
    expect((await withLimit('')).statusCode).toBe(200);
  });

  test.each(['ten', '1.5', '1e2', 'undefined', 'null', 'NaN', '20px', '1,000'])(
    '"%s" is no integer and refused',
    async (limit) => {
      const answer = await withLimit(limit);
      expect([answer.statusCode, errorOf(answer).code]).toEqual([400, 'invalid_request']);
    },
  );
});
