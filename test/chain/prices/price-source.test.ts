import { describe, expect, it } from 'vitest';
import { fixedPriceReader } from '../../../chain/prices/fixed-prices.ts';
import { createPriceSource, type PriceFeed, type PriceReader } from '../../../chain/prices/price-source.ts';

const now = new Date('2026-11-21T12:00:00Z');
const feed: PriceFeed = { kind: 'pyth', id: 'feed', maxAgeMs: 60_000, maxConfidenceBps: 50, hasFixedUnit: false };

const sourceOf = (
  price: Partial<Awaited<ReturnType<PriceReader>>>,
  use: PriceFeed | null = feed,
  unitProblemOf: () => Promise<string | null> = async () => null,
) =>
  createPriceSource({
    feedOf: async () => use,
    readers: { pyth: async () => ({ usd: '1.5', observedAt: now, ...price }) },
    unitProblemOf,
    clockProblem: async () => null,
    now: () => now,
  });

const ago = (ms: number) => new Date(now.getTime() - ms);

describe('a price is given only within the limits of its feed', () => {
  it('fresh and certain enough: with its source and time', async () => {
    const price = await sourceOf({ confidenceBps: 50, observedAt: ago(60_000) }).spotUsd('Mint');
    expect(price).toEqual({ usd: '1.5', source: 'pyth', observedAt: ago(60_000), confidenceBps: 50 });
  });

  it.each<[string, ReturnType<typeof sourceOf>, string]>([
    ['too old', sourceOf({ observedAt: ago(60_001) }), 'is 60001 ms old, at most 60000 ms'],
    ['too uncertain', sourceOf({ confidenceBps: 51 }), 'uncertain by 51 bps, at most 50 bps'],
    ['from the future', sourceOf({ observedAt: ago(-10_001) }), '10001 ms in the future'],
    ['of no time', sourceOf({ observedAt: new Date(Number.NaN) }), 'is NaN ms old'],
    ['zero', sourceOf({ usd: '0.000' }), 'not a positive decimal'],
    ['negative', sourceOf({ usd: '-1' }), 'not a positive decimal'],
    ['not a number', sourceOf({ usd: 'NaN' }), 'not a positive decimal'],
    ['in exponent form', sourceOf({ usd: '1e5' }), 'not a positive decimal'],
    ['without a feed', sourceOf({}, null), 'no feed is configured'],
    ['of a source not set up', sourceOf({}, { ...feed, kind: 'jupiter' }), 'source jupiter is not set up'],
  ])('%s: 503', async (_name, source, message) => {
    const usd = source.spotUsd('Mint');
    await expect(usd).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 5 });
    await expect(source.spotUsd('Mint')).rejects.toThrow(`no fresh price for Mint: `);
    await expect(source.spotUsd('Mint')).rejects.toThrow(message);
  });

  it('a failing source: 503 that says nothing of where it is, with its reason as the cause', async () => {
    const failing = createPriceSource({
      feedOf: async () => feed,
      readers: { pyth: () => Promise.reject(new Error('connection refused')) },
      unitProblemOf: async () => null,
      clockProblem: async () => null,
      now: () => now,
    });
    await expect(failing.spotUsd('Mint')).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'no fresh price for Mint: pyth does not give it',
      cause: { message: 'connection refused' },
    });
  });
});

describe('a price of amounts that are not the raw ones of its mint', () => {
  it.each<[string, () => Promise<string | null>, string]>([
    ['is none', async () => 'it is scaled by 10', 'no fresh price for Mint: it is scaled by 10'],
    ['may be one where that cannot be read', () => Promise.reject(new Error('no quorum')), 'its mint cannot be read'],
  ])('%s: 503', async (_what, unitProblemOf, message) => {
    const refused = sourceOf({}, feed, unitProblemOf).spotUsd('Mint');
    await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(sourceOf({}, feed, unitProblemOf).spotUsd('Mint')).rejects.toThrow(message);
  });

  it('is not asked for a mint whose unit is fixed', async () => {
    const unread = sourceOf({}, { ...feed, hasFixedUnit: true }, () => Promise.reject(new Error('no quorum')));
    expect(await unread.spotUsd('Mint')).toMatchObject({ usd: '1.5' });
  });
});

describe('the fixed table', () => {
  const table = new Map([['Mint', '3.25']]);
  const source = createPriceSource({
    feedOf: async (mint) => ({ kind: 'fixed', id: mint, maxAgeMs: 1, maxConfidenceBps: 0, hasFixedUnit: true }),
    readers: {
      fixed: fixedPriceReader(
        async (mint) => table.get(mint) ?? null,
        () => now,
      ),
    },
    unitProblemOf: async () => null,
    clockProblem: async () => null,
    now: () => now,
  });

  it('gives what was set last', async () => {
    expect(await source.spotUsd('Mint')).toMatchObject({ usd: '3.25', source: 'fixed' });
    table.set('Mint', '0.00000000012');
    expect(await source.spotUsd('Mint')).toMatchObject({ usd: '0.00000000012' });
  });

  it('has no price for another mint', async () => {
    await expect(source.spotUsd('Other')).rejects.toThrow('no fresh price for Other');
  });
});
