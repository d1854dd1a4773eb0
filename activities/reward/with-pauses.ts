import { setImmediate } from 'node:timers/promises';

const AT_ONCE_MS = 20;

/**
 * Yields to the event loop every 20 ms: a hundred thousand addresses take half a minute, and a worker without a
 * heartbeat for ten seconds is given up.
 */
export async function withPauses<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let since = performance.now();
  for (const item of items) {
    results.push(work(item));
    if (performance.now() - since < AT_ONCE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return results;
}
