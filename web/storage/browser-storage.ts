import type { SharedStorage } from './signed-store.ts';

/** @throws for the user if forbidden */
export function browserStorage(): Storage {
  try {
    return localStorage;
  } catch (cause) {
    throw new Error(
      'This browser keeps nothing for this site, and what you sign might be lost: allow it to keep data, or use another browser.',
      { cause },
    );
  }
}

export function sharedStorage(): SharedStorage {
  const storage = browserStorage();
  return {
    getItem: (key) => storage.getItem(key),
    setItem: (key, value) => storage.setItem(key, value),
    removeItem: (key) => storage.removeItem(key),
    keys: () => Object.keys(storage),
  };
}

/** Null without it: pages work. */
export function chosen(key: string): string | null {
  try {
    return browserStorage().getItem(key);
  } catch {
    return null;
  }
}

/** Null removes. False if forbidden or full: then for this page only. */
export function remember(key: string, choice: string | null): boolean {
  try {
    if (choice === null) browserStorage().removeItem(key);
    else browserStorage().setItem(key, choice);
    return true;
  } catch {
    return false;
  }
}

export function keptKeys(): string[] {
  try {
    return Object.keys(browserStorage());
  } catch {
    return [];
  }
}
