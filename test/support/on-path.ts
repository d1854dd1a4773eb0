import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program lies that a shell would find by this name; undefined where it would find none. */
export function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
