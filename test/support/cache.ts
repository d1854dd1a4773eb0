import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from '../../dev/stack/lock.ts';

const CACHE = process.env['SLIPWAY_CACHE_DIR'] || join(import.meta.dirname, '../../.data/cache');

/** Folder of the cache for what is installed by pins: other pins have another folder. */
export function cacheFolder(name: string, pins: string): string {
  return join(CACHE, `${name}-${createHash('sha256').update(pins).digest('hex').slice(0, 12)}`);
}

/** Folder of the cache for what a compiler keeps between runs. */
export function buildFolder(name: string): string {
  return join(CACHE, name);
}

/**
 * Fills a folder of the cache once; later runs find the stamp. Test files that ask at once wait for the first, and what a
 * failed installation left is removed before the next one.
 */
export async function installedOnce(folder: string, install: () => Promise<void>): Promise<void> {
  const stamp = join(folder, '.installed');
  if (existsSync(stamp)) return;
  mkdirSync(CACHE, { recursive: true });
  const lock = await waitForLock(`${folder}.lock`);
  try {
    if (existsSync(stamp)) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    await install();
    writeFileSync(stamp, '');
  } finally {
    lock.release();
  }
}
