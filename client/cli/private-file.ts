import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces the file in one step: a crash leaves the old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await rename(await draftOf(path, text), path);
}

/** Writes the text beside the file, for its user alone; returns where. */
export async function draftOf(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(draft, text, { mode: 0o600, flush: true });
  return draft;
}

/** Null without a file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
