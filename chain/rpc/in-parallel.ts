/**
 * Runs `work` on all items, at most `limit` of them at once, and answers in their order. After a failure nothing more is begun; it
 * rejects with the first failure once all that was begun has ended, so that nothing goes on behind the caller's back.
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
