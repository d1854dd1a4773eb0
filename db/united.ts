/** A look-up of one key; null where there is nothing. */
export type LookUp<Value> = (key: string) => Promise<Value | null>;

/** Makes one look-up of all keys that are asked for in the same moment. */
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
