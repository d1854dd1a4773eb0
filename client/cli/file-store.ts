import { link, rename, rm } from 'node:fs/promises';
import type { Store } from '../index.ts';
import { draftOf, readIfThere } from './private-file.ts';

/**
 * Creates a private, atomic store. It overwrites only what it loaded or saved itself: of two commands at once the
 * second fails before it submits.
 */
export function fileStore(path: string): Store {
  let isOwn = false;
  return {
    async load() {
      const text = await readIfThere(path);
      isOwn = text !== null;
      return text;
    },
    async save(text) {
      const draft = await draftOf(path, text);
      await (isOwn ? rename(draft, path) : placed(draft, path));
      isOwn = true;
    },
    async clear() {
      await rm(path, { force: true });
      isOwn = false;
    },
  };
}

/** Places the draft unless another command created the file meanwhile. */
async function placed(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (cause) {
    throw new Error(`another command signed meanwhile, see ${path}; nothing was submitted here`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
}
