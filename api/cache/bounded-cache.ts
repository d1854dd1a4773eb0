import { createCache } from 'async-cache-dedupe';

export interface CacheBounds<Value> {
  /** Whole seconds. */
  readonly seconds: number;
  /** The least recently used is evicted. */
  readonly entries: number;
  /** Size of a value, in characters. */
  readonly sizeOf: (value: Value) => number;
}

/** Of one cache: its keys are strangers' text, and one page of a list can have a million characters. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Collapses and briefly caches loads by input, bounded in entries and size. A failed load is not cached. */
export function createBoundedCache<Input, Value extends object>(
  { seconds, entries, sizeOf }: CacheBounds<Value>,
  load: (input: Input) => Promise<Value>,
): (input: Input) => Promise<Value> {
  // Of all values since the cache was emptied; evicted ones stay counted.
  let size = 0;
  const empty = createCache({ ttl: seconds, storage: { type: 'memory', options: { size: entries } } });
  const cache = empty.define('value', async (input: Input): Promise<Value> => {
    const value = await load(input);
    const more = sizeOf(value);
    if (size + more > MOST_CHARACTERS) {
      size = 0;
      await empty.clear('value');
    }
    size += more;
    return value;
  });
  return (input) => cache.value(input);
}
