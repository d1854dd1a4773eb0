import { createHash } from 'node:crypto';
import { join } from 'node:path';

const CACHE = process.env['SLIPWAY_CACHE_DIR'] || join(import.meta.dirname, '../../.data/cache');

/** Folder of the cache for what is installed by pins: other pins have another folder. */
export function cacheFolder(name: string, pins: string): string {
  return join(CACHE, `${name}-${createHash('sha256').update(pins).digest('hex').slice(0, 12)}`);
}

/** Folder of the cache for what a compiler keeps between runs. */
export function buildFolder(name: string): string {
  return join(CACHE, name);
}
