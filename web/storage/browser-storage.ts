/** The browser's storage. Throws an Error in plain words where a person has forbidden sites to keep anything. */
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

/** Something that was chosen here, null where nothing was or nothing is kept: a page works without it. */
export function chosen(key: string): string | null {
  try {
    return browserStorage().getItem(key);
  } catch {
    return null;
  }
}

/** Remembers a choice, null for none. Answers whether it is remembered: refused or full, it holds for this page only. */
export function remember(key: string, choice: string | null): boolean {
  try {
    if (choice === null) browserStorage().removeItem(key);
    else browserStorage().setItem(key, choice);
    return true;
  } catch {
    return false;
  }
}

/** Keys of all that is kept here; none where nothing may be. */
export function keptKeys(): string[] {
  try {
    return Object.keys(browserStorage());
  } catch {
    return [];
  }
}
