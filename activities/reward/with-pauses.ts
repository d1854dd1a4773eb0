import { setImmediate } from 'node:timers/promises';

/** How long a process does nothing else, ms. */
const AT_ONCE_MS = 20;

/**
 * Makes something of each of many items, in their order. Where that takes long, everything else of the process gets its turn in
 * between: a hundred thousand addresses take a core for half a minute, and a worker that says nothing for ten seconds is given up.
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
