import { beforeAll, describe, expect, test } from 'vitest';
import { bookHarvest } from '../support/fee-sweep/revenue-rows.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const TODAY = new Date('2027-03-02T00:00:00.500Z');
const market = useMarketApp(() => ({ now: () => TODAY }));

interface Day {
  readonly date: string;
  readonly dailyRevenue: number;
  readonly dailyHoldersRevenue: number;
  readonly dailyProtocolRevenue: number;
}
interface History {
  readonly start: string;
  readonly days: readonly Day[];
}

const read = async <Data>(path: string) =>
  (await market.app().inject(`/api/public/v1${path}`)).json<{ data: Data }>().data;

/** Harvests by the moment, with what they were worth: first and last moments of days, of a year, days in a row and apart. */
const HARVESTS: readonly [string, string | null][] = [
  ['2026-11-17T23:59:59.999Z', '0.1'],
  ['2026-11-18T00:00:00.000Z', '0.2'],
  ['2026-12-31T23:59:59.999Z', '1000000.0000000001'],
  ['2027-01-01T00:00:00.000Z', '3.3333333333'],
  ['2027-02-28T12:00:00.000Z', null],
  ['2027-03-01T12:00:00.000Z', '0.7'],
  ['2027-03-01T13:00:00.000Z', '0.0000000001'],
];

let history: History;
beforeAll(async () => {
  const { mint } = await market.launch();
  for (const [at, valueUsd] of HARVESTS) {
    const price = valueUsd === null ? { quoteUsd: null } : {};
    await bookHarvest(
      market.db(),
      { mint, quoteMint: market.quoteMint },
      { harvestedAt: new Date(at), valueUsd, buybackBps: 3_333, ...price },
    );
  }
  history = await read<History>('/revenue/history');
});

/** What an adapter does for each day that it is asked for, by the timestamp of its beginning: the entry of that day, or a failure. */
function entryOf({ days }: History, startTimestamp: number): Day {
  const date = new Date(startTimestamp * 1_000).toISOString().slice(0, 10);
  const entry = days.find((day) => day.date === date);
  if (!entry) throw new Error(`no entry for ${date}`);
  return entry;
}

describe('an adapter that publishes a day at a time', () => {
  test('finds every day from the first to today', () => {
    const first = Date.parse(history.start) / 1_000;
    const last = Date.parse('2027-03-02') / 1_000;
    const entries = [];
    for (let at = first; at <= last; at += 86_400) entries.push(entryOf(history, at));
    expect(entries).toEqual(history.days);
    expect([history.start, entries.length]).toEqual(['2026-11-17', 106]);
  });

  test('sees each day’s revenue on the UTC day that it was claimed on, and split without rest', () => {
    const revenueOf = (date: string) => entryOf(history, Date.parse(date) / 1_000).dailyRevenue;
    expect(revenueOf('2026-11-17')).toBe(0.1);
    expect(revenueOf('2026-11-18')).toBe(0.2);
    expect(revenueOf('2026-12-31')).toBe(1_000_000.0000000001);
    expect(revenueOf('2027-01-01')).toBe(3.3333333333);
    expect(revenueOf('2027-02-28')).toBe(0);
    expect(revenueOf('2027-03-01')).toBe(0.7000000001);
    for (const { dailyRevenue, dailyHoldersRevenue, dailyProtocolRevenue } of history.days) {
      expect(dailyHoldersRevenue + dailyProtocolRevenue).toBeCloseTo(dailyRevenue, 9);
    }
  });

  test('adds up to the totals of the revenue page', async () => {
    const sumOf = (field: Exclude<keyof Day, 'date'>) => history.days.reduce((sum, day) => sum + day[field], 0);
    const { revenue } = await read<{ revenue: Readonly<Record<string, number>> }>('/revenue');
    expect(sumOf('dailyRevenue')).toBeCloseTo(revenue['totalRevenueUsd'] ?? NaN, 8);
    expect(sumOf('dailyHoldersRevenue')).toBeCloseTo(revenue['holdersRevenueUsd'] ?? NaN, 8);
    expect(sumOf('dailyProtocolRevenue')).toBeCloseTo(revenue['protocolRevenueUsd'] ?? NaN, 8);
  });
});
