import { expect, test } from 'vitest';
import { averagePrice } from '../../db/prices/average-price.ts';
import { insertSwaps } from '../support/market/swap-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 14, 0, seconds));
const [from, to] = [at(0), at(1_800)];

async function averageOf(
  swaps: readonly (readonly [number, string, boolean?])[],
  openedAt = at(-9_000),
): Promise<string> {
  const { mint } = await launchedToken(db());
  const rows = swaps.map(([seconds, priceQuote, finalized = true]) => ({
    blockTime: at(seconds),
    priceQuote,
    finalized,
  }));
  if (rows.length > 0) await insertSwaps(db(), mint, rows);
  return averagePrice(db(), { mint, from, to, openingPrice: '0.000005', openedAt });
}

test('prices count as long as they stood', async () => {
  // 600 s at 1, 900 s at 3, 300 s at 7.
  expect(
    await averageOf([
      [-100, '1'],
      [600, '3'],
      [1_500, '7'],
    ]),
  ).toBe('3');
  expect(
    await averageOf([
      [0, '1'],
      [1_799, '1801'],
    ]),
  ).toBe('2');
});

test('a spike that is traded back in the same second counts nothing', async () => {
  expect(
    await averageOf([
      [-1, '2'],
      [900, '900'],
      [900, '2'],
    ]),
  ).toBe('2');
});

test('without trades it is the last price before, or the one the pool opened at', async () => {
  expect(
    await averageOf([
      [-7_000, '4'],
      [-5_000, '0.25'],
    ]),
  ).toBe('0.25');
  expect(await averageOf([])).toBe('0.000005');
});

test('a pool that opened within the span is averaged from then on', async () => {
  // 300 s at the opening price, 300 s at 0.000007.
  expect(await averageOf([[1_500, '0.000007']], at(1_200))).toBe('0.000006');
});

test('what a fork can still take back, and what came after, do not count', async () => {
  expect(
    await averageOf([
      [-5, '2'],
      [900, '800', false],
    ]),
  ).toBe('2');
  expect(
    await averageOf([
      [-5, '2'],
      [2_000, '77'],
    ]),
  ).toBe('2');
});

test('a span without length is the last price', async () => {
  const { mint } = await launchedToken(db());
  await insertSwaps(db(), mint, [
    { blockTime: at(-3), priceQuote: '5' },
    { blockTime: at(0), priceQuote: '6' },
  ]);
  expect(await averagePrice(db(), { mint, from: to, to, openingPrice: '1', openedAt: from })).toBe('6');
});

test('it is exact to 30 digits', async () => {
  const average = await averageOf([
    [-1, '0.000000000000000000000000000001'],
    [900, '0.000000000000000000000000000004'],
  ]);
  expect(average).toBe('0.000000000000000000000000000003');
});
