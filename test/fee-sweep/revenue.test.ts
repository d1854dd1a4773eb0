import { beforeAll, describe, expect, test } from 'vitest';
import * as tokens from '../../db/tokens.ts';
import { bookBuyback } from '../support/buyback/buyback-rows.ts';
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

/** A day of the series. */
const day = (date: string, dailyRevenue: number, dailyHoldersRevenue: number, dailyProtocolRevenue: number) => ({
  date,
  dailyRevenue,
  dailyHoldersRevenue,
  dailyHoldersSpent: 0,
  dailyProtocolRevenue,
});

describe('a platform that has collected nothing', () => {
  test('has revenue of zero, and a history of today', async () => {
    expect(await read('/revenue?limit=1')).toEqual({
      revenue: {
        totalRevenueUsd: 0,
        platformPairExcludedUsd: 0,
        holdersRevenueUsd: 0,
        protocolRevenueUsd: 0,
        flywheelRevenueUsd: 0,
        harvestCount: 0,
        unpricedCount: 0,
        totalBuybackUsd: 0,
        boughtBackTokens: 0,
        boughtBackValueUsd: 0,
        buybackCount: 0,
        lastBuybackAt: null,
      },
      burns: { totalValueUsdAtBurn: 0, burnCount: 0, mintCount: 0, unpricedCount: 0, bySource: {} },
      config: { buybacksEnabled: false, buybackBurnEnabled: false },
      recentBuybacks: [],
      recentHarvests: [],
      recentBurns: [],
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(await read('/revenue/history')).toEqual({
      network: 'localnet',
      unit: 'USD',
      start: today,
      source: 'ledger',
      coverage: { revenueRows: 0, revenueRowsUnpriced: 0, buybackRows: 0, buybackRowsUnpriced: 0 },
      days: [day(today, 0, 0, 0)],
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
      await bookHarvest(db, swept, { harvestedAt: at('2026-11-17T23:59:59Z'), valueUsd: '0.1000000001' }),
      // 0.1 + 0.2 is 0.3.
      await bookHarvest(db, swept, { harvestedAt: at('2026-11-19T00:00:00Z'), valueUsd: '0.1' }),
      await bookHarvest(db, swept, { harvestedAt: at('2026-11-19T12:00:00Z'), valueUsd: '0.2', buybackBps: 2_500 }),
      await bookHarvest(db, swept, { harvestedAt: at('2026-11-19T13:00:00Z'), quoteUsd: null, valueUsd: null }),
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

  test('is kept by UTC day, every day from the first to today, also those without any', async () => {
    const history = () => read<{ start: string; coverage: object; days: { date: string }[] }>('/revenue/history');
    // The answer of a platform without revenue is kept for a moment.
    await expect.poll(async () => (await history()).start).toBe('2026-11-17');
    const { start, coverage, days } = await history();
    expect(coverage).toMatchObject({ revenueRows: 6, revenueRowsUnpriced: 1 });
    expect(days.slice(0, 5)).toEqual([
      day('2026-11-17', 0.1000000001, 0.05000000005, 0.05000000005),
      day('2026-11-18', 0, 0, 0),
      day('2026-11-19', 0.3, 0.1, 0.2),
      day('2026-11-20', 0, 0, 0),
      day('2026-11-21', 1_234_567_890.0000000003, 617_283_945.00000000015, 617_283_945.00000000015),
    ]);
    const expected = Math.round((Date.now() - Date.parse(start)) / 86_400_000 - 0.5) + 1;
    expect(days).toHaveLength(Math.max(5, expected));
    expect(new Set(days.map(({ date }) => date)).size).toBe(days.length);
  });

  test('has totals, what was spent of it, burns by their source, and the newest of each', async () => {
    const data = await read<{ recentHarvests: { signature: string }[] }>('/revenue');
    expect(data).toMatchObject({
      revenue: {
        totalRevenueUsd: 1_234_567_890.4000000004,
        holdersRevenueUsd: 617_283_945.1500000002,
        protocolRevenueUsd: 617_283_945.2500000002,
        flywheelRevenueUsd: 123_456_789.04000000004,
        harvestCount: 6,
        unpricedCount: 1,
      },
      burns: {
        totalValueUsdAtBurn: 4.25,
        burnCount: 4,
        mintCount: 3,
        unpricedCount: 1,
        bySource: {
          auto: { amountTokens: 3, valueUsd: 1, count: 2 },
          buyback: { amountTokens: 1.5, valueUsd: 3.25, count: 1 },
          flywheel: { amountTokens: 0.000005, valueUsd: 0, count: 1 },
        },
      },
      recentBurns: [
        { source: 'flywheel', symbol: 'USDQ', mint: market.quoteMint, amountTokens: 0.000005, valueUsdAtBurn: null },
        { source: 'buyback', symbol: 'HARBOR', mint, valueUsdAtBurn: 3.25 },
        { source: 'auto', mint, amountTokens: 1.5, amountRaw: '1500000000' },
      ],
    });
    expect(data.recentHarvests.map(({ signature }) => signature)).toEqual([...signatures].reverse());
  });

  test('a harvest has both amounts, and the price it was valued with, none without one', async () => {
    const { recentHarvests } = await read<{ recentHarvests: object[] }>('/revenue?limit=2');
    expect(recentHarvests).toEqual([
      {
        signature: signatures[4],
        harvestedAt: '2026-11-21T00:30:00.000Z',
        mint,
        symbol: 'HARBOR',
        quote: { mint: market.quoteMint, symbol: 'USDQ' },
        quoteTokens: 2.5,
        quoteRaw: '2500000',
        baseTokens: 0.000000007,
        baseRaw: '7',
        quotePriceUsd: 1,
        priceSource: 'fixed',
        pricedAt: '2026-11-21T00:30:00.000Z',
        valueUsd: 1_234_567_890.0000000003,
      },
      expect.not.objectContaining({ quotePriceUsd: 1 }),
    ]);
    expect(recentHarvests[1]).toMatchObject({ signature: signatures[3], valueUsd: null });
  });

  test('shows in the totals of the platform', async () => {
    expect(await read<object>('/stats')).toMatchObject({
      revenue: { totalRevenueUsd: 1_234_567_890.4000000004 },
      burns: { burnCount: 4, totalValueUsdAtBurn: 4.25 },
    });
  });
});

describe('purchases of the platform token', () => {
  test('are listed newest first with what they cost, and their burn once it is final; others are not in it', async () => {
    const { mint } = await market.launch();
    const of = { mint, quoteMint: market.quoteMint };
    const [first, last] = [
      await bookBuyback(market.db(), of, { spentRaw: 2_000_000n, boughtRaw: 4_000_000_000n, quoteUsd: '1.25' }),
      await bookBuyback(market.db(), of, { spentRaw: 3n, boughtRaw: 7n, quoteUsd: null, isBurned: false }),
    ];
    await bookBuyback(market.db(), of, { kind: 'flywheel' });
    const data = await read<{ revenue: object; recentBuybacks: object[] }>('/revenue?limit=9');
    expect(data.revenue).toMatchObject({
      totalBuybackUsd: 2.5,
      boughtBackTokens: 4.000000007,
      boughtBackValueUsd: 2.5,
      buybackCount: 2,
      lastBuybackAt: expect.stringMatching(/Z$/) as string,
    });
    expect(data.recentBuybacks).toMatchObject([
      {
        signature: last.signature,
        mint,
        spentTokens: 0.000003,
        boughtTokens: 0.000000007,
        spentValueUsd: null,
        boughtValueUsd: null,
        burnSignature: null,
      },
      {
        signature: first.signature,
        quote: { mint: market.quoteMint, symbol: 'USDQ' },
        spentTokens: 2,
        spentRaw: '2000000',
        spentValueUsd: 2.5,
        boughtTokens: 4,
        boughtRaw: '4000000000',
        boughtValueUsd: 2.5,
        burnSignature: first.burnSignature,
      },
    ]);
    const spent = () => read<{ days: { date: string; dailyHoldersSpent: number }[] }>('/revenue/history');
    const sumOf = async () => (await spent()).days.reduce((sum, { dailyHoldersSpent }) => sum + dailyHoldersSpent, 0);
    // The answer of before the purchases is kept for a moment.
    await expect.poll(sumOf).toBe(2.5);
    const { days } = await spent();
    const today = new Date().toISOString().slice(0, 10);
    expect(days.filter(({ dailyHoldersSpent }) => dailyHoldersSpent > 0).map(({ date }) => date)).toEqual([today]);
    expect(await read('/revenue/history?date=ignored')).toMatchObject({
      coverage: { buybackRows: expect.any(Number) as number },
    });
  });
});

test.each([
  '/revenue?limit=',
  '/revenue?limit=0',
  '/revenue?limit=101',
  '/revenue?from=2026-11-01',
  '/revenue/history?limit=5',
])(
  '%s is answered: limits out of range are taken as the nearest in range, and what is unknown is ignored',
  async (path) => {
    expect((await market.app().inject(`${ROOT}${path}`)).statusCode).toBe(200);
  },
);

test.each(['/revenue?limit=ten', '/revenue?limit=1.5'])('%s is refused by name', async (path) => {
  const answer = await market.app().inject(`${ROOT}${path}`);
  expect([answer.statusCode, errorOf(answer).code]).toEqual([400, 'invalid_request']);
  expect(errorOf(answer).message).toContain('"limit"');
});

test('other methods are not allowed', async () => {
  const answer = await market.app().inject({ method: 'POST', url: `${ROOT}/revenue`, payload: {} });
  expect([answer.statusCode, errorOf(answer).code]).toEqual([405, 'method_not_allowed']);
});

test('shared caches may keep them for a while', async () => {
  const cached = async (path: string) => (await market.app().inject(`${ROOT}${path}`)).headers['cache-control'];
  expect(await cached('/revenue')).toBe('public, max-age=0, s-maxage=5, stale-while-revalidate=25');
  expect(await cached('/revenue/history')).toBe('public, max-age=0, s-maxage=10, stale-while-revalidate=20');
});
