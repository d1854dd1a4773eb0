import { createHash } from 'node:crypto';

/** Choices that are the same ones for the same seed. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** True once in `times` on average. */
  oneIn(times: number): boolean;
  pick<T>(among: readonly T[]): T;
  /** The same elements in another order. */
  shuffle<T>(list: readonly T[]): T[];
  /** A source of its own, whose choices do not depend on how many were taken here. */
  fork(name: string): Random;
}

/** Numbers from sha256(seed, counter): slow, and the same on every machine. */
export function createRandom(seed: string): Random {
  let counter = 0;
  const below = (limit: number): number => {
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`cannot choose a number below ${limit}`);
    return createHash('sha256').update(`${seed}/${counter++}`).digest().readUIntBE(0, 6) % limit;
  };
  const pick = <T>(among: readonly T[]): T => {
    const chosen = among[below(among.length)];
    if (chosen === undefined) throw new RangeError('nothing to choose from');
    return chosen;
  };
  return {
    below,
    pick,
    oneIn: (times) => below(times) === 0,
    shuffle: (list) => {
      const keyed = list.map((element) => ({ element, key: below(2 ** 40) }));
      return keyed.toSorted((a, b) => a.key - b.key).map(({ element }) => element);
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  };
}
