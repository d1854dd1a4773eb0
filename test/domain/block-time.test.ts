import { expect, it } from 'vitest';
import { blockTimeOf } from '../../domain/block-time.ts';

it('the time of a block is what was told, where a block of this century can have it', () => {
  const told = [0, 1_790_000_000, 4_102_444_799, 4_102_444_800, 26_192_246_400, -1, 1.5, Number.NaN, null, undefined];
  expect(told.map(blockTimeOf)).toEqual([0, 1_790_000_000, 4_102_444_799, ...Array<null>(7).fill(null)]);
});
