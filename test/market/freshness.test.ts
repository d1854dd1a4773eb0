import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSwitchReader } from '../../api/features.ts';
import * as switches from '../../db/platform/switches.ts';
import * as tokens from '../../db/tokens.ts';
import { useMarketApp } from '../support/market/market-app.ts';

/*
 * How old an answer may be, by a clock that only these tests move: however slow the machine is, an answer that is asked for so long
 * after a change shows it.
 */

const market = useMarketApp((db) => ({ switches: createSwitchReader(() => switches.read(db)) }));

/** Answers are kept for whole seconds from some moment within one. */
const MOMENTS_MS = [0, 1, 499, 500, 999];

const ACTOR = { actor: 'test' };
const read = async (path: string) =>
  (await market.app().inject(`/api/public/v1${path}`)).json<{ data: Record<string, unknown> }>().data;

// From before the first answer on: the cache reads the clock once in a second and keeps the time that long.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterAll(() => {
  vi.useRealTimers();
});

/** Asks, changes something, and asks again when the bound is over: the answers before and after. */
async function around(change: () => Promise<unknown>, ask: () => Promise<unknown>, boundMs: number) {
  const before = await ask();
  await change();
  await vi.advanceTimersByTimeAsync(boundMs);
  return [before, await ask()];
}

describe.each(MOMENTS_MS)('asked for %d ms into a second', (moment) => {
  beforeEach(() => vi.advanceTimersByTimeAsync(2_000 - (Date.now() % 1_000) + moment));

  test('a token is at most 2.5 s old', async () => {
    const { mint } = await market.launch();
    const links = async () => (await read(`/tokens/${mint}`))['token'];
    const corrected = { website: `https://new${moment}.example` };
    const [before, after] = await around(() => tokens.setLinks(market.db(), mint, corrected, ACTOR), links, 2_500);
    expect(before).toMatchObject({ links: { website: 'https://harbour.example' } });
    expect(after).toMatchObject({ links: corrected });
  });

  test('the list is at most 2.5 s old, its count too', async () => {
    const { mint } = await market.launch({ token: { name: `Copy ${moment}`, symbol: 'COPY' } });
    const listed = async () => {
      const { tokens: found, pagination } = await read(`/tokens?q=copy%20${moment}`);
      return [(found as { mint: string }[]).map((token) => token.mint), (pagination as { total: number }).total];
    };
    const hide = (hidden: boolean) => () => tokens.setHidden(market.db(), mint, hidden, ACTOR);
    expect(await around(hide(true), listed, 2_500)).toEqual([
      [[mint], 1],
      [[], 0],
    ]);
    expect(await around(hide(false), listed, 2_500)).toEqual([
      [[], 0],
      [[mint], 1],
    ]);
  });

  test('a switch that stats show is at most 1.5 s old', async () => {
    const isOpen = async () =>
      ((await read('/stats'))['config'] as { paidLaunchesEnabled: boolean }).paidLaunchesEnabled;
    const set = (value: 'on' | 'off') => () => switches.set(market.db(), 'launching', value, ACTOR);
    expect(await around(set('off'), isOpen, 1_500)).toEqual([true, false]);
    expect(await around(set('on'), isOpen, 1_500)).toEqual([false, true]);
  });
});
