import { expect, test } from 'vitest';
import { categoryLabel } from '../../../domain/pair-categories.ts';
import { expectShape } from '../../support/wire/dialect.ts';
import { Pairs } from '../../support/wire/shapes.ts';
import { useWireMarket } from '../../support/wire/wire-market.ts';

const market = useWireMarket();

interface Pair {
  readonly mint: string;
  readonly symbol: string;
  readonly [field: string]: unknown;
}
const pairs = async (query = '') => {
  const answer = await market.read(`/pairs${query}`);
  expectShape(Pairs, answer);
  return answer as unknown as { pairs: readonly Pair[]; ambiguousSymbolCount: number };
};

test('all pairs come in one answer, each to be chosen by its mint', async () => {
  expect((await pairs()).pairs.map(({ mint }) => mint).sort()).toEqual(Object.values(market.quotes).sort());
  expect((await pairs('?pageSize=1&page=2&launchLabReady=true')).pairs).toHaveLength(3);
});

test('a symbol keeps its own spelling; one that two pairs have in whatever case is ambiguous', async () => {
  const { pairs: all, ambiguousSymbolCount } = await pairs();
  const ambiguous = all.filter((pair) => pair['symbolAmbiguous'] === true).map(({ symbol }) => symbol);
  expect([ambiguous.sort(), ambiguousSymbolCount]).toEqual([['NVDAx', 'nvdaX'], 1]);
});

test('a pair has a logo of its own or the platform’s, and nothing of venues that there are not', async () => {
  for (const pair of (await pairs()).pairs) {
    expect(pair['logoUrl']).toBe('http://127.0.0.1:8080/logo.svg');
    expect(pair).not.toHaveProperty('launchLabReady');
  }
});

test('a category filters by its name; pairs that can still be launched with are asked for by `launchable`', async () => {
  expect((await pairs('?category=xstock')).pairs.map(({ mint }) => mint)).toEqual([market.quotes.stock]);
  expect((await pairs('?launchable=true')).pairs.every((pair) => pair['launchable'] === true)).toBe(true);
});

test.each([
  ['xstock', 'xStock'],
  ['prestock', 'PreStock'],
  ['tessera', 'Tessera'],
  ['backpack', 'Sunrise'],
  ['currency', 'Currency'],
  ['custom', 'Custom'],
  ['solana', 'Solana'],
  ['leverage', 'Leverage'],
  ['collectible', 'Collectibles'],
])('the category %s is shown as %s', (category, label) => {
  expect(categoryLabel(category)).toBe(label);
});
