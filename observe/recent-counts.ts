/** Finer slices forget more evenly. */
const SLICES = 20;

export interface RecentCounts {
  add(key: string): void;
  /** Counts by key within the window. */
  read(): ReadonlyMap<string, number>;
}

interface Slice {
  readonly endsAt: number;
  readonly counts: Map<string, number>;
}

/**
 * Counts within a moving window, in memory that does not grow: the keys are few.
 *
 * @param windowMs length of the window
 */
export function createRecentCounts(windowMs: number, now: () => number): RecentCounts {
  const lengthMs = windowMs / SLICES;
  let slices: Slice[] = [];
  const current = (): Slice => {
    const at = now();
    slices = slices.filter(({ endsAt }) => endsAt > at - windowMs);
    const last = slices.at(-1);
    if (last !== undefined && last.endsAt > at) return last;
    const fresh = { endsAt: at + lengthMs, counts: new Map<string, number>() };
    slices.push(fresh);
    return fresh;
  };
  return {
    add(key) {
      const { counts } = current();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    read() {
      current();
      const sums = new Map<string, number>();
      for (const { counts } of slices) for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count);
      return sums;
    },
  };
}
