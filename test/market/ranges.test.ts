import { beforeAll, describe, expect, test } from 'vitest';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();
const mints = new Map<string, string>();

const TOKENS = {
  small: { launchedAt: '2026-11-20T10:00:00Z', marketCapUsd: '5000', volume24hUsd: '10' },
  middle: { launchedAt: '2026-11-21T00:00:00Z', marketCapUsd: '20000.5', volume24hUsd: '900' },
  large: { launchedAt: '2026-11-22T10:00:00Z', marketCapUsd: '70000', volume24hUsd: '0' },
  unpriced: { launchedAt: '2026-11-23T10:00:00Z', marketCapUsd: null, volume24hUsd: '5' },
};

beforeAll(async () => {
  for (const [name, { launchedAt, ...figures }] of Object.entries(TOKENS)) {
    mints.set((await market.launch({ launchedAt: new Date(launchedAt), market: figures })).mint, name);
  }
});

interface Answer {
  readonly data: { readonly tokens: readonly { readonly mint: string }[]; readonly pagination: { total: number } };
}

async function listed(query: string): Promise<(string | undefined)[]> {
  const response = await market.app().inject(`/api/public/v1/tokens?${query}`);
  const { tokens, pagination } = response.json<Answer>().data;
  expect(pagination.total).toBe(tokens.length);
  return tokens.map(({ mint }) => mints.get(mint)).toSorted();
}

describe('a range lists the tokens within it, and counts them', () => {
  test.each([
    ['minMarketCapUsd=5000', ['large', 'middle', 'small']],
    ['minMarketCapUsd=5000.01', ['large', 'middle']],
    ['maxMarketCapUsd=20000.5', ['middle', 'small']],
    ['minMarketCapUsd=6000&maxMarketCapUsd=30000', ['middle']],
    ['minVolume24hUsd=5', ['middle', 'small', 'unpriced']],
    ['createdAfter=2026-11-21T00:00:00Z', ['large', 'middle', 'unpriced']],
    ['createdBefore=2026-11-21T00:00:00Z', ['small']],
    ['createdAfter=2026-11-21T01:00:00%2B01:00&createdBefore=2026-11-23T00:00:00Z', ['large', 'middle']],
    ['createdAfter=2026-11-21T00:00:00Z&minVolume24hUsd=1&minMarketCapUsd=1&sort=newest&status=new', ['middle']],
  ])('%s', async (query, names) => {
    expect(await listed(query)).toEqual(names);
  });
});

test.each(['minMarketCapUsd=-1', 'maxMarketCapUsd=much', 'createdAfter=yesterday', 'createdBefore=2026-11-21'])(
  'a bound that is none is refused by name: %s',
  async (query) => {
    const response = await market.app().inject(`/api/public/v1/tokens?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.body).toContain(query.split('=')[0]);
  },
);

test('the peak shown is the recorded one: the present cap neither raises nor lowers it', async () => {
  const caps = [
    { marketCapUsd: '50000', highWaterMarketCapUsd: '12000.5' },
    { marketCapUsd: '9000', highWaterMarketCapUsd: '12000.5' },
  ];
  for (const figures of caps) {
    const { mint } = await market.launch({ launchedAt: new Date('2020-01-01T00:00:00Z'), market: figures });
    const response = await market.app().inject(`/api/public/v1/tokens/${mint}`);
    const { token } = response.json<{ data: { token: { market: Record<string, number> } } }>().data;
    expect(token.market['peakMarketCapUsd']).toBe(12_000.5);
  }
});

test('the payout rule of reward coins is in the totals', async () => {
  const response = await market.app().inject('/api/public/v1/stats');
  expect(response.json<{ data: { payoutRule: unknown } }>().data.payoutRule).toEqual({
    minHoldingUsd: 20,
    minPayoutUsd: 0.05,
  });
});
