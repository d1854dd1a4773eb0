/**
 * Runs at most `limit` at once, results in order. After a failure it starts nothing more and waits for running work
 * before it rejects, so that no work outlives the call.
 */
export async function inParallel<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const failures: unknown[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) {
      try {
        results.set(index, await work(item));
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return items.map((_, index) => results.get(index)!);
}
