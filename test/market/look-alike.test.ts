import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { likenessOf, skeletonOf } from '../../domain/look-alike.ts';
import { ALIKE, DIFFERENT } from '../support/market/look-alike-cases.ts';

const CYRILLIC = '\u0421';

describe('texts that look alike have one skeleton', () => {
  it.each([
    ['USDC', `USD${CYRILLIC}`],
    ['USDC', '\uff35\uff33\uff24\uff23'],
    ['USDC', '\u{1d414}\u{1d412}\u{1d403}\u{1d402}'],
    ['USDC', 'usd\u0441'],
    ['USDC', 'U.S.D.C'],
    ['USDC', 'USD\u010a'],
    ['SOL', 'S0L'],
    ['SOL', 'SOI'],
    ['SOL', 'so1'],
    ['Harbour Light', 'Harbour  \u041bight'.replace('\u041b', 'L')],
    ['Harbour Light', 'HARBOUR\u3000LIGHT'],
    ['Harbour Light', 'H\u0430rb\u03bfur Light'],
    ['Pepe', '\u0420\u0435\u0440\u0435'],
    ['100x', '1\ufe0f00x'],
  ])('%s and %s', (one, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(one));
  });
});

describe('texts that look different have different skeletons', () => {
  it.each([
    ['USDC', 'USDT'],
    ['Harbour Light', 'Harbour Night'],
    ['\u0915\u093f', '\u0915\u093e'],
    ['\u6771\u4eac', '\u6771\u4eac\u90fd'],
    ['\u{1f680}', '\u{1f311}'],
  ])('%s and %s', (one, other) => {
    expect(skeletonOf(other)).not.toBe(skeletonOf(one));
  });
});

test.each([
  [{ symbol: 'USDC', name: 'x' }, 'sameSymbol'],
  [{ symbol: `USD${CYRILLIC}`, name: 'x' }, 'similarSymbol'],
  [{ symbol: 'x', name: 'USD Coin' }, 'sameName'],
  [{ symbol: 'x', name: 'usd coin' }, 'similarName'],
  [{ symbol: 'x', name: 'usdc' }, 'similarName'],
] as const)('%o says why it looks like USDC', (one, why) => {
  expect(likenessOf(one, { symbol: 'USDC', name: 'USD Coin' })).toBe(why);
});

test('precision and recall over all cases are what the documentation says', async () => {
  const isFound = ([one, other]: readonly [string, string]) => skeletonOf(one) === skeletonOf(other);
  const [found, wrong] = [ALIKE.filter(isFound).length, DIFFERENT.filter(isFound).length];
  const share = (part: number, whole: number) => ((100 * part) / whole).toFixed(1);
  const said = `${ALIKE.length + DIFFERENT.length} cases: precision ${share(found, found + wrong)} %, recall ${share(found, ALIKE.length)} %`;
  expect(await readFile('docs/market-data.md', 'utf8')).toContain(said);
  expect(ALIKE.length + DIFFERENT.length).toBeGreaterThanOrEqual(200);
});
