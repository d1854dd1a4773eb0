/**
 * Keeps the one thing that must outlive a crash: what was signed and may still land. One store is for one launch or one claim; the
 * text is JSON and no secret key is in it.
 */
export interface Store {
  /** Null where nothing is kept. */
  load(): string | null | Promise<string | null>;
  save(text: string): void | Promise<void>;
  clear(): void | Promise<void>;
}

/** Keeps it as long as the process lives. */
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

/** The part of `localStorage` that is needed. */
export interface KeyedStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Keeps it in a browser: `webStore(localStorage, 'my launch')`. */
export function webStore(storage: KeyedStorage, key: string): Store {
  return {
    load: () => storage.getItem(key),
    save: (text) => storage.setItem(key, text),
    clear: () => storage.removeItem(key),
  };
}
