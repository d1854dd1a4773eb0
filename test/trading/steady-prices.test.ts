import { describe, expect, it } from 'vitest';
import { observedPrice } from '../../activities/trading/observed-price.ts';
import { createSteadyPrices } from '../../activities/trading/steady-prices.ts';
import type { PriceKind, PriceSource } from '../../chain/prices/price-source.ts';
import { unsteadyReason } from '../../domain/trading/steady-price.ts';
import { useDatabase } from '../support/db/use-database.ts';

const MAX_DEVIATION_BPS = 2_000;
const MINUTE_MS = 60_000;
const NOW = new Date('2026-03-01T12:00:00Z');
const at = (minutesAgo: number) => new Date(NOW.getTime() - minutesAgo * MINUTE_MS);

/** Prices with how many minutes ago they were seen, oldest first. */
const seen = (...prices: readonly (readonly [minutesAgo: number, usd: string])[]) =>
  prices.map(([minutesAgo, usd]) => ({ usd, observedAt: at(minutesAgo) }));
const reason = (usd: string, before: ReturnType<typeof seen>) =>
  unsteadyReason({ usd, observedAt: NOW }, before, MAX_DEVIATION_BPS);

describe('a price that money is spent by', () => {
  it('was seen in three stretches of five minutes', () => {
    expect(reason('1', seen([20, '1'], [10, '1']))).toBeUndefined();
    expect(reason('1', seen([10, '1']))).toMatch(/^it was seen in 2 of 3 stretches/);
    expect(reason('1', seen([9, '1'], [8, '1'], [7, '1']))).toMatch(/^it was seen in 2 of 3 stretches/);
  });

  it('is within its bound of the middle of what was seen, up and down, to the last bps', () => {
    const calm = seen([30, '0.9'], [20, '1'], [10, '1'], [5, '1.1']);
    expect(reason('1.2', calm)).toBeUndefined();
    expect(reason('0.8', calm)).toBeUndefined();
    expect(reason('1.2001', calm)).toBe('it is 1.2001 USD and was 1 USD in the middle, more than 2000 bps away');
    expect(reason('0.7999', calm)).toMatch(/more than 2000 bps away$/);
  });

  it('is not made by whoever trades a hundred times within a moment', () => {
    const burst = Array.from({ length: 100 }, (_, index) => [1 + index / 100, '9'] as const).toReversed();
    expect(reason('9', seen([40, '1'], [30, '1'], [20, '1'], ...burst))).toMatch(/and was 1 USD in the middle/);
  });
});

describe('the source of such prices', () => {
  const { db } = useDatabase();

  /** What the source says, and what time it is; both move. */
  function market(source: PriceKind) {
    const state = { usd: '1', now: at(60) };
    const prices: PriceSource = { usd: () => Promise.resolve({ usd: state.usd, source, observedAt: state.now }) };
    const steady = createSteadyPrices({ db: db(), prices, now: () => state.now, maxDeviationBps: MAX_DEVIATION_BPS });
    const look = async (minutesAgo: number, usd: string, mint: string) => {
      Object.assign(state, { usd, now: at(minutesAgo) });
      return observedPrice({ db: db(), prices }, mint);
    };
    return { state, steady, look };
  }

  it('remembers each look, so that asking again helps', async () => {
    const { state, steady } = market('jupiter');
    for (const minutesAgo of [20, 10]) {
      state.now = at(minutesAgo);
      await expect(steady.usd('asked')).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    state.now = NOW;
    expect(await steady.usd('asked')).toMatchObject({ usd: '1' });
  });

  it('refuses one that was moved just now, and takes it once it has stayed there', async () => {
    const { state, steady, look } = market('jupiter');
    for (const minutesAgo of [50, 45, 40]) await look(minutesAgo, '1', 'moved');
    Object.assign(state, { usd: '3', now: at(35) });
    await expect(steady.usd('moved')).rejects.toThrow(/no steady price for moved: it is 3 USD and was 1 USD/);
    for (const minutesAgo of [30, 25, 20]) await look(minutesAgo, '3', 'moved');
    state.now = at(15);
    expect(await steady.usd('moved')).toMatchObject({ usd: '3' });
  });

  it('forgets what was seen more than four hours ago', async () => {
    const { state, steady, look } = market('jupiter');
    for (const minutesAgo of [300, 290, 280]) await look(minutesAgo, '1', 'old');
    Object.assign(state, { usd: '1', now: NOW });
    await expect(steady.usd('old')).rejects.toThrow(/it was seen in 1 of 3 stretches/);
  });

  it('takes what an operator set as it is', async () => {
    const { steady } = market('fixed');
    expect(await steady.usd('set')).toMatchObject({ usd: '1' });
  });
});
