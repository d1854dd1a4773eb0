/** Keeps work on one key in order within this process, as long as it does not take too long. */
export interface Turns {
  /**
   * Runs `work` after the work on the same key that was asked for before has ended, or after `patienceMs` in any case: turns
   * save fees, they are not what keeps work apart.
   */
  take<Result>(key: number, work: () => Promise<Result>): Promise<Result>;
}

/** Nobody has a turn yet. */
export function createTurns(patienceMs: number): Turns {
  const last = new Map<number, Promise<void>>();
  return {
    async take(key, work) {
      const before = last.get(key);
      const mine = Promise.withResolvers<void>();
      const whole = Promise.all([before, mine.promise]).then(() => undefined);
      last.set(key, whole);
      try {
        if (before) await endOf(before, patienceMs);
        return await work();
      } finally {
        mine.resolve();
        if (last.get(key) === whole) last.delete(key);
      }
    },
  };
}

async function endOf(before: Promise<void>, patienceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([before, promise]);
  clearTimeout(timer);
}
