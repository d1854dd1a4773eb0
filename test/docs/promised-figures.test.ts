import { expect, it } from 'vitest';
import { FIGURES, isKept, written } from '../../bench/promised/figures.ts';

it('each promised figure is written with the commit of its measurement, and no other is', () => {
  expect(Object.keys(written()).toSorted()).toEqual(FIGURES.map(({ subject }) => subject).toSorted());
});

it('a figure is broken below three quarters of its promise, in the direction that is worse', () => {
  expect(isKept({ better: 'higher' }, 1, 0.75)).toBe(true);
  expect(isKept({ better: 'higher' }, 1, 0.74)).toBe(false);
  expect(isKept({ better: 'lower' }, 12, 16)).toBe(true);
  expect(isKept({ better: 'lower' }, 12, 16.1)).toBe(false);
});
