import type { Order } from '../launched-pool.ts';

/** A source of numbers that gives the same ones for the same seed (a linear congruential generator of 64 bits). */
export function seededBits(seed: bigint): (bits: number) => bigint {
  let state = seed;
  return (bits) => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return state >> BigInt(64 - bits);
  };
}

/** A random order: both sides, both exact ends, amounts of any size up to a bound on each side, raw units. */
export function randomOrder(bits: (count: number) => bigint, most: { base: bigint; quote: bigint }): Order {
  const side = bits(1) === 0n ? 'buy' : 'sell';
  const exact = bits(1) === 0n ? 'in' : 'out';
  const isBase = (side === 'sell') === (exact === 'in');
  const bound = isBase ? most.base : most.quote;
  // Any order of magnitude is as likely as any other.
  const width = Number(bits(16) % BigInt(bound.toString(2).length)) + 1;
  const amount = (bits(width) % bound) + 1n;
  return { side, exact, amount };
}
