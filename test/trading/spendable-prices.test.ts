import { describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { observedPrice, observedPrices } from '../../activities/trading/observed-price.ts';
import { createSpendablePrices } from '../../activities/trading/spendable-prices.ts';
import type { PriceKind, PriceSource } from '../../chain/prices/price-source.ts';
import * as prices from '../../db/prices/prices.ts';
import { pricesBefore } from '../../db/prices/steady-prices.ts';
import {
  cheaperUsd,
  dearerUsd,
  spendablePrice,
  stretchOf,
  UnsteadyPriceError,
} from '../../domain/trading/spendable-price.ts';
import { useDatabase } from '../support/db/use-database.ts';

const MAX_DEVIATION_BPS = 2_000;
const MINUTE_MS = 60_000;
const NOW = new Date('2026-03-01T12:00:00Z');
const at = (minutesAgo: number) => new Date(NOW.getTime() - minutesAgo * MINUTE_MS);

/** Prices with how many minutes ago they were seen, oldest first. */
const seen = (...prices: readonly (readonly [minutesAgo: number, usd: string])[]) =>
  prices.map(([minutesAgo, usd]) => ({ usd, observedAt: at(minutesAgo) }));
/** Seen at one price in every stretch before the present one, from and to so many minutes ago. */
const steadily = (usd: string, from = 55, to = 5) =>
  seen(...Array.from({ length: (from - to) / 5 + 1 }, (_, index) => [from - 5 * index, usd] as const));
const priced = (usd: string, before: ReturnType<typeof seen>) =>
  spendablePrice({ usd, source: 'jupiter', observedAt: NOW }, before, {
    mint: 'one',
    maxDeviationBps: MAX_DEVIATION_BPS,
  });
/** Why nothing is spent by a price; undefined where it is. */
function reason(usd: string, before: ReturnType<typeof seen>): string | undefined {
  try {
    priced(usd, before);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnsteadyPriceError)) throw error;
    return error.message.replace('no steady price for one: ', '');
  }
}

describe('a price that money is spent by', () => {
  it('was seen in twelve stretches of five minutes', () => {
    expect(reason('1', steadily('1'))).toBeUndefined();
    expect(reason('1', steadily('1', 50))).toMatch(/^it was seen in 11 of 12 stretches/);
  });

  it('is made by none who holds a new market at another price for a third of an hour', () => {
    for (const moved of ['0.1', '9']) {
      expect(reason(moved, [...steadily('1', 55, 25), ...steadily(moved, 20, 5)])).toMatch(/was 1 USD in the middle/);
    }
  });

  it('is within its bound of the middle of what was seen, up and down, to the last bps', () => {
    const calm = [...steadily('1', 60, 15), ...seen([10, '0.9'], [5, '1.1'])];
    expect(reason('1.2', calm)).toBeUndefined();
    expect(reason('0.8', calm)).toBeUndefined();
    expect(reason('1.2001', calm)).toBe('it is 1.2001 USD and was 1 USD in the middle, more than 2000 bps away');
    expect(reason('0.7999', calm)).toMatch(/more than 2000 bps away$/);
  });

  it('is asked for at the dearer, and paid at the cheaper of present price and median', () => {
    const fallen = priced('0.9', steadily('1'));
    expect([fallen.usd, fallen.medianUsd, dearerUsd(fallen), cheaperUsd(fallen)]).toEqual(['0.9', '1', '1', '0.9']);
    const risen = priced('1.1', steadily('1'));
    expect([dearerUsd(risen), cheaperUsd(risen)]).toEqual(['1.1', '1']);
  });

  it('is not made by the first trade of the present stretch', () => {
    expect(reason('1', [...steadily('1'), ...seen([0.5, '9'])])).toBeUndefined();
  });
});

describe('the source of such prices', () => {
  const { db } = useDatabase();

  it('knows what was seen before many moments as it knows it before one', async () => {
    const observed = [100, 61, 59, 52, 30, 12, 11, 4, 1].map((minutesAgo) => ({
      mint: 'many',
      usd: `${minutesAgo}`,
      source: 'jupiter',
      observedAt: at(minutesAgo),
    }));
    await prices.record(db(), observed);
    const moments = [at(0), at(10), at(45), at(200)];
    const [now, ...earlier] = await pricesBefore(
      db(),
      moments.map((moment) => ({ mint: 'many', stretch: stretchOf(moment) })),
    );
    expect(now).toEqual({
      isFixed: false,
      seen: seen([100, '100'], [61, '61'], [59, '59'], [52, '52'], [30, '30'], [11, '11'], [4, '4']),
    });
    expect(earlier.map((one) => one.seen.length)).toEqual([6, 4, 0]);
  });

  /** What the source says, and what time it is; both move. */
  function market(source: PriceKind) {
    const state = { usd: '1', now: at(60), clockProblem: null as string | null };
    const prices: PriceSource = {
      spotUsd: () => Promise.resolve({ usd: state.usd, source, observedAt: state.now }),
      clockProblem: () => Promise.resolve(state.clockProblem),
    };
    const observed = { db: db(), prices, now: () => state.now, logger: pino({ level: 'silent' }) };
    const steady = createSpendablePrices({ ...observed, maxDeviationBps: MAX_DEVIATION_BPS });
    const look = async (minutesAgo: number, usd: string, mint: string) => {
      Object.assign(state, { usd, now: at(minutesAgo) });
      return observedPrices(observed, [mint], 'samples');
    };
    const lookEvery5 = async (from: number, to: number, usd: string, mint: string) => {
      for (let minutesAgo = from; minutesAgo >= to; minutesAgo -= 5) await look(minutesAgo, usd, mint);
    };
    return { state, steady, look, lookEvery5 };
  }

  it('is made by the worker’s own looks, and not by those that a trade or a launch causes', async () => {
    const { state, steady, look } = market('jupiter');
    const ask = async (minutesAgo: number) => {
      state.now = at(minutesAgo);
      await expect(steady.of('asked')).rejects.toMatchObject({ code: 'service_unavailable' });
    };
    for (let minutesAgo = 115; minutesAgo >= 60; minutesAgo -= 5) await ask(minutesAgo);
    for (let minutesAgo = 55; minutesAgo >= 5; minutesAgo -= 5) {
      await ask(minutesAgo);
      // Though what was asked for is as new.
      await look(minutesAgo, '1', 'asked');
    }
    state.now = NOW;
    expect(await steady.of('asked')).toMatchObject({ usd: '1' });
  });

  it('is unknown while the clock of this machine is off, and what was seen meanwhile never counts', async () => {
    const { state, steady, lookEvery5 } = market('jupiter');
    await lookEvery5(55, 5, '1', 'clock');
    state.clockProblem = 'the clock of this machine is 7200 s behind the newest final block of a quorum';
    await lookEvery5(175, 120, '9', 'clock');
    state.now = NOW;
    await expect(steady.of('clock')).rejects.toThrow(/7200 s behind/);
    await expect(steady.of('clock')).rejects.toBeInstanceOf(UnsteadyPriceError);
    expect(
      await db().selectFrom('priceObservations').where('mint', '=', 'clock').where('usd', '=', '9').execute(),
    ).toEqual([]);
    Object.assign(state, { clockProblem: null, usd: '1' });
    expect(await steady.of('clock')).toMatchObject({ usd: '1' });
  });

  it('refuses one that was moved just now, and takes it once it has stayed there', async () => {
    const { state, steady, lookEvery5 } = market('jupiter');
    await lookEvery5(150, 95, '1', 'moved');
    Object.assign(state, { usd: '3', now: at(90) });
    await expect(steady.of('moved')).rejects.toThrow(/no steady price for moved: it is 3 USD and was 1 USD/);
    await lookEvery5(85, 30, '3', 'moved');
    state.now = at(25);
    expect(await steady.of('moved')).toMatchObject({ usd: '3' });
  });

  it('forgets what was seen more than four hours ago', async () => {
    const { state, steady, lookEvery5 } = market('jupiter');
    await lookEvery5(300, 245, '1', 'old');
    Object.assign(state, { usd: '1', now: NOW });
    await expect(steady.of('old')).rejects.toThrow(/it was seen in 1 of 12 stretches/);
  });

  it('is not led by whoever moves the market at the moment at which each stretch begins', async () => {
    const { state, steady, look } = market('jupiter');
    for (let begin = 60; begin >= 5; begin -= 5) {
      for (const second of [0, 5, 10, 15]) await look(begin - second / 60, '0.1', 'led');
      for (const minute of [1, 2, 3, 4]) await look(begin - minute, '1', 'led');
    }
    Object.assign(state, { usd: '0.1', now: NOW });
    await expect(steady.of('led')).rejects.toThrow(/it is 0.1 USD and was 1 USD in the middle/);
  });

  it('is not led by many trades within a moment', async () => {
    const { state, steady, look, lookEvery5 } = market('jupiter');
    await lookEvery5(65, 20, '1', 'burst');
    for (const minutesAgo of [14, 13, 9, 8]) await look(minutesAgo, '1', 'burst');
    for (let second = 0; second < 60; second += 5) await look(7 - second / 60, '9', 'burst');
    Object.assign(state, { usd: '9', now: NOW });
    await expect(steady.of('burst')).rejects.toThrow(/it is 9 USD and was 1 USD in the middle/);
  });

  it('is not led by whoever moves the market for a second and has it looked at then', async () => {
    const { state, steady, look } = market('jupiter');
    for (let minutesAgo = 70; minutesAgo >= 1; minutesAgo--) {
      await look(minutesAgo, '1', 'called');
      if (minutesAgo % 5 < 2) continue;
      Object.assign(state, { usd: '0.1', now: at(minutesAgo - 0.1) });
      await steady.of('called').catch(() => undefined);
    }
    Object.assign(state, { usd: '0.1', now: NOW });
    await expect(steady.of('called')).rejects.toThrow(/it is 0.1 USD and was 1 USD in the middle/);
  });

  it('writes down that a price was moved back right after it was seen', async () => {
    const state = { usd: '0.1', observedAt: at(14), now: at(14) };
    const prices: PriceSource = {
      spotUsd: () => Promise.resolve({ ...state, source: 'jupiter' }),
      clockProblem: () => Promise.resolve(null),
    };
    const deps = { db: db(), prices, now: () => state.now, logger: pino({ level: 'silent' }) };
    await observedPrices(deps, ['back'], 'samples');
    Object.assign(state, { usd: '1', observedAt: new Date(at(14).getTime() + 2_000), now: at(13) });
    await observedPrice(deps, 'back');
    await observedPrices(deps, ['back'], 'samples');
    const [before] = await pricesBefore(db(), [{ mint: 'back', stretch: stretchOf(NOW) }]);
    expect(before?.seen.map(({ usd }) => usd)).toEqual(['1']);
  });

  it('takes what an operator set as it is', async () => {
    const { steady } = market('fixed');
    expect(await steady.of('set')).toMatchObject({ usd: '1' });
  });
});
