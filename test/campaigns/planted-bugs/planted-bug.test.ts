import { expect, it } from 'vitest';
import { plantedBugs } from './planted-bug.ts';

const BUGS = plantedBugs(import.meta.dirname);

it('at least ten bugs are planted', () => {
  expect(BUGS.length).toBeGreaterThanOrEqual(10);
});
