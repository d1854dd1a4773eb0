/** Looks up one key. */
export type LookUp<Value> = (key: string) => Promise<Value | null>;

/** Unites the keys of one event loop turn into one load. */
export function united<Value>(load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>): LookUp<Value> {
  let next: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, Value>> } | null = null;
  return async (key) => {
    next ??= begin();
    next.keys.add(key);
    return (await next.found).get(key) ?? null;
  };

  function begin() {
    const keys = new Set<string>();
    const moment = new Promise<void>((resolve) => setImmediate(resolve));
    const found = moment.then(() => {
      next = null;
      return load([...keys]);
    });
    return { keys, found };
  }
}
