import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Store } from '../index.ts';

/** Keeps a signed transaction in a file of this user's own, written whole or not at all. */
export function fileStore(path: string): Store {
  return {
    load: () => readIfThere(path),
    async save(text) {
      const draft = `${path}.${randomUUID()}`;
      await writeFile(draft, text, { mode: 0o600, flush: true });
      await rename(draft, path);
    },
    clear: () => rm(path, { force: true }),
  };
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
