import { expect, test } from 'vitest';
import { KeptWindows } from '../../activities/market/line/figures/kept-windows.ts';
import type { NewSwap, TradingWindow } from '../../db/market/swaps.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 14, minutes));
const WINDOW: TradingWindow = {
  mint: 'm',
  swapsVersion: 7n,
  volumeUsd: '10.5',
  priceUsdBefore: '0.1',
  hasEarlier: true,
  oldestAt: at(10),
  newestSlot: 100n,
};
const swapAt = (minutes: number, slot: bigint, valueUsd: string | null) =>
  ({ blockTime: at(minutes), slot, valueUsd }) as NewSwap;

function kept(): KeptWindows {
  const windows = new KeptWindows(2);
  windows.keep(WINDOW);
  return windows;
}

const stored = (more: object = {}) => ({ pool: 'p', swapsVersion: 8n, written: 2, added: 2, ...more });
const TWO = [swapAt(20, 101n, '2.25'), swapAt(21, 102n, null)];

test('a kept window grows by the swaps that were stored', () => {
  const windows = kept();
  windows.extend('m', stored(), TWO, at(0));
  expect(windows.get('m', at(0))).toEqual({ ...WINDOW, swapsVersion: 8n, volumeUsd: '12.75', newestSlot: 102n });
});

test('a kept window stays where a pool changed without a swap', () => {
  const windows = kept();
  windows.extend('m', stored({ swapsVersion: 7n, written: 0, added: 0 }), [], at(0));
  expect(windows.get('m', at(0))).toEqual(WINDOW);
});

test.each([
  ['somebody else wrote swaps', stored({ swapsVersion: 9n }), TWO],
  ['somebody else wrote swaps, and these are none', stored({ written: 0, added: 0 }), []],
  ['a swap was there before', stored({ added: 1 }), TWO],
  ['a swap was final already', stored({ written: 1, added: 1 }), TWO],
  ['a swap is older than the window', stored(), [swapAt(-1, 99n, '1'), TWO[0]!]],
])('a kept window is forgotten where %s', (_when, tail, given) => {
  const windows = kept();
  windows.extend('m', tail, given, at(0));
  expect(windows.get('m', at(0))).toBeUndefined();
});

test('a kept window serves until its oldest swap leaves it', () => {
  expect(kept().get('m', at(9))).toEqual(WINDOW);
  expect(kept().get('m', at(10))).toBeUndefined();
});

test('those that were not needed for longest are forgotten first', () => {
  const windows = kept();
  windows.keep({ ...WINDOW, mint: 'n' });
  windows.keep({ ...WINDOW, mint: 'o' });
  expect([windows.get('m', at(0)), windows.get('n', at(0))?.mint]).toEqual([undefined, 'n']);
});
