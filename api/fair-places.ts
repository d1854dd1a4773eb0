/** Places for work that runs at once, shared among clients. */
export interface FairPlaces {
  take(client: string, work: () => Promise<void>): Promise<void>;
}

/**
 * A free place goes to the client that has the fewest; of equal ones, those in the queue take turns. So no client waits longer
 * because another asks for more.
 */
export function createFairPlaces(places: number): FairPlaces {
  const taken = new Map<string, number>();
  /** Clients in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  let free = places;

  function count(client: string, change: number): void {
    const now = (taken.get(client) ?? 0) + change;
    if (now > 0) taken.set(client, now);
    else taken.delete(client);
  }

  function beginNext(): void {
    const [client] = [...waiting.keys()].sort((a, b) => (taken.get(a) ?? 0) - (taken.get(b) ?? 0));
    if (client === undefined) {
      free += 1;
      return;
    }
    const [begin, ...later] = waiting.get(client) ?? [];
    waiting.delete(client);
    if (later.length > 0) waiting.set(client, later);
    count(client, 1);
    begin?.();
  }

  return {
    async take(client, work) {
      if (free > 0) {
        free -= 1;
        count(client, 1);
      } else await new Promise<void>((resolve) => waiting.set(client, [...(waiting.get(client) ?? []), resolve]));
      try {
        await work();
      } finally {
        count(client, -1);
        beginNext();
      }
    },
  };
}
