import type { Store } from '../../client/index.ts';
import type { KeyedStorage } from '../../client/progress/store.ts';

export interface SharedStorage extends KeyedStorage {
  keys(): readonly string[];
}

export interface SignedStore extends Store {
  /** An outcome was not shown yet, in any tab. */
  isKept(): boolean;
  /**
   * Call it before signing.
   *
   * @throws if another tab has a record
   */
  mustBeAlone(): void;
  /** Moves the record to another key. Keeps what can land, and other tabs' records. */
  putAside(key: string): void;
}

export interface SignedKind {
  /** Each record has its own, as `slipway:launch/<signature>`: tabs never overwrite each other. */
  readonly base: string;
  readonly what: string;
  readonly id: string;
}

/**
 * Each tab saves, clears and moves only its own records. Those without an outcome load first, then those that can land
 * although it was shown.
 */
export function signedStore(storage: SharedStorage, { base, what, id }: SignedKind): SignedStore {
  let own: string | null = null;
  const keys = () => storage.keys().filter((key) => key === base || key.startsWith(`${base}/`));
  const isOpen = (key: string) => fieldOf(storage.getItem(key), 'isTold') !== true;
  const mustBeAlone = () => {
    if (keys().some((key) => key !== own)) throw new Error(`Another ${what} was signed in this browser.`);
  };
  return {
    load: () => {
      own = keys().find(isOpen) ?? keys()[0] ?? null;
      return own === null ? null : storage.getItem(own);
    },
    save: (text) => {
      if (own === null) mustBeAlone();
      own ??= `${base}/${String(fieldOf(text, id))}`;
      storage.setItem(own, text);
    },
    clear: () => {
      if (own !== null) storage.removeItem(own);
      own = null;
    },
    isKept: () => keys().some(isOpen),
    mustBeAlone,
    putAside: (aside) => {
      const text = own === null ? null : storage.getItem(own);
      if (own === null || text === null || !isOpen(own)) return;
      storage.setItem(aside, text);
      storage.removeItem(own);
      own = null;
    },
  };
}

/** Undefined for invalid JSON. */
function fieldOf(text: string | null, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : undefined;
  } catch {
    return undefined;
  }
}

/** Its outcome was shown. */
export function isTold(text: string): boolean {
  return fieldOf(text, 'isTold') === true;
}

/**
 * Call it before signing.
 *
 * @throws if the storage rejects such a length
 */
export function mustHaveRoom(storage: KeyedStorage, key: string, letters: number): void {
  try {
    storage.setItem(key, ' '.repeat(letters));
    storage.removeItem(key);
  } catch (cause) {
    throw new Error(
      'This browser has no room to keep a signed launch for this site, and it might be lost: clear the site’s data, or use another browser.',
      { cause },
    );
  }
}
