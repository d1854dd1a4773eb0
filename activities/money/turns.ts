export interface Turns {
  /**
   * After earlier work on the key, at most `patienceMs` later: turns only save fees, lanes prevent double movements.
   */
  take<Result>(key: number, work: () => Promise<Result>): Promise<Result>;
}

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
