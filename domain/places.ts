/** Places for work that runs at once. Further work waits in order. */
export interface Places {
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createPlaces(places: number): Places {
  const waiting: (() => void)[] = [];
  let free = places;
  return {
    async take(work) {
      if (free > 0) free -= 1;
      else {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        await promise;
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
