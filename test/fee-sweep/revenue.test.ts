import { beforeAll, describe, expect, test } from 'vitest';
import * as tokens from '../../db/tokens.ts';
import { bookBurn, bookHarvest } from '../support/fee-sweep/revenue-rows.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();
const ROOT = '/api/public/v1';

async function read<Data>(path: string): Promise<Data> {
  const answer = await market.app().inject(`${ROOT}${path}`);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ data: Data }>().data;
}

describe('a platform that has collected nothing', () => {
  test('has revenue of zero and an empty history', async () => {
    expect(await read('/revenue?limit=1')).toEqual({
      revenue: {
        totals: { revenueUsd: '0', holdersRevenueUsd: '0', protocolRevenueUsd: '0', harvests: 0, coverage: 0 },
        recent: [],
      },
      buybacks: {
        totals: {
          allocatedUsd: '0',
          platformToken: { allocatedUsd: '0', spentUsd: '0', count: 0, coverage: 0 },
          flywheel: { allocatedUsd: '0', spentUsd: '0', count: 0, coverage: 0 },
        },
        recent: [],
      },
      burns: { totals: { valueUsd: '0', count: 0, coverage: 0 }, recent: [] },
    });
  });
});

describe('revenue', () => {
  let mint: string;
  let signatures: string[];
  beforeAll(async () => {
    const db = market.db();
    ({ mint } = await market.launch());
    const swept = { mint, quoteMint: market.quoteMint };
    const at = (text: string) => new Date(text);
    signatures = [
      await bookHarvest(db, swept, { harvestedAt: at('2026-11-19T23:59:59Z'), valueUsd: '0.1000000001' }),
      // 0.1 + 0.2 is 0.3.
      await bookHarvest(db, swept, { harvestedAt: at('2026-11-20T00:00:00Z'), valueUsd: '0.1' }),
      await bookHarvest(db, swept, { harvestedAt: at('2026-11-20T12:00:00Z'), valueUsd: '0.2', buybackBps: 2_500 }),
      await bookHarvest(db, swept, { harvestedAt: at('2026-11-20T13:00:00Z'), quoteUsd: null, valueUsd: null }),
      await bookHarvest(db, swept, { harvestedAt: at('2026-11-21T00:30:00Z'), valueUsd: '1234567890.0000000003' }),
    ];
    await bookBurn(db, mint);
    await bookBurn(db, mint, { kind: 'buyback', valueUsd: '3.25' });
    await bookBurn(db, market.quoteMint, { kind: 'flywheel', valueUsd: null, amountRaw: 5n });
    const { mint: hidden } = await market.launch();
    await bookHarvest(db, { mint: hidden, quoteMint: market.quoteMint }, { valueUsd: '0' });
    await bookBurn(db, hidden, { valueUsd: '0.25' });
    await tokens.setHidden(db, hidden, true, { actor: 'test' });
  });

  test('is kept by UTC day, exactly, divided as it was configured when it was collected', async () => {
    expect(await read('/revenue/history')).toEqual({
      days: {
        '2026-11-19': {
          dailyRevenue: '0.1000000001',
          dailyHoldersRevenue: '0.05000000005',
          dailyProtocolRevenue: '0.05000000005',
          coverage: 0,
        },
        '2026-11-20': { dailyRevenue: '0.3', dailyHoldersRevenue: '0.1', dailyProtocolRevenue: '0.2', coverage: 1 },
        '2026-11-21': {
          dailyRevenue: '1234567890.0000000003',
          dailyHoldersRevenue: '617283945.00000000015',
          dailyProtocolRevenue: '617283945.00000000015',
          coverage: 0,
        },
      },
      coverage: 1,
    });
  });

  test('has totals, what is set aside and what was spent of it, and the newest of each', async () => {
    const data = await read<{ revenue: { recent: { signature: string }[] } }>('/revenue');
    expect(data).toMatchObject({
      revenue: {
        totals: {
          revenueUsd: '1234567890.4000000004',
          holdersRevenueUsd: '617283945.1500000002',
          protocolRevenueUsd: '617283945.2500000002',
          harvests: 6,
          coverage: 1,
        },
      },
      buybacks: {
        totals: {
          allocatedUsd: '617283945.1500000002',
          platformToken: { allocatedUsd: '617283945.1500000002', spentUsd: '3.25', count: 1, coverage: 0 },
          flywheel: { allocatedUsd: '123456789.04000000004', spentUsd: '0', count: 1, coverage: 1 },
        },
        recent: [
          { kind: 'flywheel', symbol: 'USDQ', mint: market.quoteMint, amount: '0.000005', valueUsd: null },
          { kind: 'buyback', symbol: 'HARBOR', mint, valueUsd: '3.25' },
        ],
      },
      burns: { totals: { valueUsd: '1', count: 2, coverage: 0 }, recent: [{ kind: 'sweep', mint, amount: '1.5' }] },
    });
    expect(data.revenue.recent.map(({ signature }) => signature)).toEqual([...signatures].reverse());
  });

  test('a harvest has both amounts, and the price it was valued with, null without one', async () => {
    const { revenue } = await read<{ revenue: { recent: object[] } }>('/revenue?limit=2');
    expect(revenue.recent).toEqual([
      {
        signature: signatures[4],
        time: '2026-11-21T00:30:00.000Z',
        mint,
        symbol: 'HARBOR',
        quoteMint: market.quoteMint,
        quoteSymbol: 'USDQ',
        quoteAmount: '2.5',
        quoteAmountRaw: '2500000',
        baseAmount: '0.000000007',
        baseAmountRaw: '7',
        valueUsd: '1234567890.0000000003',
        price: { usd: '1', source: 'fixed', time: '2026-11-21T00:30:00.000Z' },
      },
      expect.objectContaining({ signature: signatures[3], price: null, valueUsd: null }),
    ]);
  });

  test('shows in the totals of the platform', async () => {
    const { totals } = await read<{ totals: object }>('/stats');
    expect(totals).toMatchObject({
      feeRevenueUsd: '1234567890.4000000004',
      burns: 2,
      burnedUsd: '1',
      buybacks: 2,
      buybackSpentUsd: '3.25',
    });
  });
});

test.each([
  ['/revenue?limit=0', 'limit'],
  ['/revenue?limit=101', 'limit'],
  ['/revenue?from=2026-11-01', 'from'],
  ['/revenue/history?date=2026-11-01', 'date'],
  ['/revenue/history?limit=5', 'limit'],
])('%s is refused by name', async (path, name) => {
  const answer = await market.app().inject(`${ROOT}${path}`);
  expect([answer.statusCode, errorOf(answer).code]).toEqual([400, 'invalid_request']);
  expect(errorOf(answer).message).toContain(`"${name}"`);
});

test('other methods are not allowed', async () => {
  const answer = await market.app().inject({ method: 'POST', url: `${ROOT}/revenue`, payload: {} });
  expect([answer.statusCode, errorOf(answer).code]).toEqual([405, 'method_not_allowed']);
});

test('shared caches may keep them for a while', async () => {
  const cached = async (path: string) => (await market.app().inject(`${ROOT}${path}`)).headers['cache-control'];
  expect(await cached('/revenue')).toBe('public, max-age=0, s-maxage=5, stale-while-revalidate=60');
  expect(await cached('/revenue/history')).toBe('public, max-age=0, s-maxage=10, stale-while-revalidate=120');
});
