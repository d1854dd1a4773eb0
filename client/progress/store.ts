/**
 * Keeps what must survive a crash: a signed transaction that may land. One per launch or claim. JSON without a secret
 * key.
 */
export interface Store {
  /** Null if empty. */
  load(): string | null | Promise<string | null>;
  save(text: string): void | Promise<void>;
  clear(): void | Promise<void>;
}

/** Keeps it in memory: a restart forgets it. */
export function memoryStore(): Store {
  let kept: string | null = null;
  return {
    load: () => kept,
    save: (text) => {
      kept = text;
    },
    clear: () => {
      kept = null;
    },
  };
}

export interface KeyedStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Store for browsers: `webStore(localStorage, 'my launch')`. */
export function webStore(storage: KeyedStorage, key: string): Store {
  return {
    load: () => storage.getItem(key),
    save: (text) => storage.setItem(key, text),
    clear: () => storage.removeItem(key),
  };
}
