export interface Locks {
  request(
    name: string,
    options: { readonly ifAvailable: true },
    work: (lock: object | null) => Promise<void> | undefined,
  ): Promise<unknown>;
}

export interface OneTab {
  /** Holds the lock until `release`. Rejects if another tab has it. */
  take(): Promise<void>;
  release(): void;
}

/**
 * One tab at a time signs, stores and follows records of this name. Rejects before anything is signed, also without
 * browser locks: two tabs could pay twice.
 *
 * @param what named in the error
 */
export function oneTab(name: string, what: string, locks: Locks | null = browserLocks()): OneTab {
  let release: (() => void) | undefined;
  return {
    async take() {
      if (release) return;
      if (!locks) throw new Error('This browser cannot keep two tabs from paying twice: open the site by https.');
      const held = await hold(locks, name);
      if (!held) throw new Error(`Another tab of this browser is signing ${what}. Nothing was signed here.`);
      release = held;
    },
    release() {
      release?.();
      release = undefined;
    },
  };
}

/** Null if taken. */
function hold(locks: Locks, name: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    const work = (lock: object | null) => {
      if (lock) return new Promise<void>((release) => resolve(release));
      resolve(null);
      return undefined;
    };
    locks.request(name, { ifAvailable: true }, work).catch(reject);
  });
}

function browserLocks(): Locks | null {
  return 'locks' in navigator ? navigator.locks : null;
}
