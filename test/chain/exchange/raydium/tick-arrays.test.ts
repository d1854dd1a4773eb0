import { expect, test } from 'vitest';
import {
  arraysAhead,
  fitsOwnBitmap,
  initialisedArrays,
  tickArrayStart,
} from '../../../../chain/exchange/raydium/tick-arrays.ts';

test('a tick belongs to the array that begins at or below it, below zero too', () => {
  expect([0, 7_199, 7_200, -1, -7_200, -7_201].map((tick) => tickArrayStart(tick, 120))).toEqual([
    0, 0, 7_200, -7_200, -7_200, -14_400,
  ]);
  expect([443_520, -443_520].map((tick) => tickArrayStart(tick, 120))).toEqual([439_200, -446_400]);
});

test("the pool's bitmap names its arrays: bit 512 is the one that begins at tick 0", () => {
  const bitmap = (1n << 512n) | (1n << 511n) | (1n << 573n) | (1n << 450n);
  expect(initialisedArrays(bitmap, 120)).toEqual([-446_400, -7_200, 0, 439_200]);
  expect(initialisedArrays(0n, 120)).toEqual([]);
});

test('only a tick spacing of 15 and more keeps all arrays in the pool itself', () => {
  expect([14, 15, 60, 120].map((spacing) => fitsOwnBitmap(spacing, 443_636))).toEqual([false, true, true, true]);
});

test('a swap meets arrays in its direction, beginning with the one it stands in', () => {
  const starts = [-446_400, -7_200, 0, 439_200];
  expect(arraysAhead(starts, -1, 120, false)).toEqual([-7_200, 0, 439_200]);
  expect(arraysAhead(starts, -1, 120, true)).toEqual([-7_200, -446_400]);
  expect(arraysAhead(starts, 20_000, 120, true)).toEqual([0, -7_200, -446_400]);
});
