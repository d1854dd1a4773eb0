import type { Store } from '../../client/index.ts';
import type { KeyedStorage } from '../../client/progress/store.ts';

/** Keeps the one thing that was signed under a key, and what it is asked about beside. */
export interface SignedStore extends Store {
  /** Whether anything is kept, also by another tab. */
  isKept(): boolean;
  /** Moves what this store kept to another key; what another tab keeps meanwhile stays. */
  putAside(key: string): void;
}

/**
 * Several tabs share a key: each clears and moves only what it loaded or saved itself, and none saves over what another one signed.
 * `what` names it in that refusal: nothing was submitted then, so nothing is lost.
 */
export function signedStore(storage: KeyedStorage, key: string, what: string): SignedStore {
  let own: string | null = null;
  const isOwn = () => own !== null && storage.getItem(key) === own;
  return {
    load: () => (own = storage.getItem(key)),
    save: (text) => {
      if (storage.getItem(key) !== null && !isOwn()) throw new Error(`Another ${what} was signed in this browser.`);
      storage.setItem(key, text);
      own = text;
    },
    clear: () => {
      if (isOwn()) storage.removeItem(key);
    },
    isKept: () => storage.getItem(key) !== null,
    putAside: (aside) => {
      if (own === null || !isOwn()) return;
      storage.setItem(aside, own);
      storage.removeItem(key);
    },
  };
}

/** Throws an Error where a storage does not take a text of so many letters: before something is signed, not after. */
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
