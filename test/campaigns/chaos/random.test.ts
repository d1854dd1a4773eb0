import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';

const draw = (seed: string) => {
  const random = createRandom(seed);
  return [
    random.below(1_000),
    random.pick(['a', 'b', 'c']),
    random.shuffle([1, 2, 3, 4]),
    random.fork('x').below(1_000),
  ];
};

describe('choices from a seed', () => {
  it('are the same ones for the same seed, and others for another', () => {
    expect(draw('one')).toEqual(draw('one'));
    expect(draw('one')).not.toEqual(draw('two'));
  });

  it('of a fork do not depend on what was drawn before', () => {
    const random = createRandom('one');
    random.below(7);
    expect(random.fork('x').below(1_000)).toBe(createRandom('one').fork('x').below(1_000));
  });
});
