/** Free places that each of a network's own places requires. */
const FREE_PER_OWN = 4;

export interface Places {
  readonly inAll: number;
  readonly taken: number;
  readonly own: number;
}

/**
 * True if the network may take one more place: it has none and one is free, or it holds less than a quarter of the free
 * places. The allowance shrinks as places fill. `n` greedy networks therefore leave about `4 / (n + 4)` of the places
 * free, and only as many networks as there are places can take the last one.
 * @example mayTakePlace({ inAll: 1_000, taken: 0, own: 0 }) // true
 * @example mayTakePlace({ inAll: 1_000, taken: 200, own: 200 }) // false: 800 are free
 */
export function mayTakePlace({ inAll, taken, own }: Places): boolean {
  const free = inAll - taken;
  return own === 0 ? free > 0 : own * FREE_PER_OWN < free;
}
