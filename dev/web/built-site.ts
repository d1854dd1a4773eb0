import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../../domain/error-text.ts';

const ROOT = join(import.meta.dirname, '../..');

export type SiteKind = 'production' | 'local';

const SHARED_SOURCES = ['web', 'client', 'dev/web', 'dev/client'];
/** Sources besides the locked packages. */
const SOURCES: Readonly<Record<SiteKind, readonly string[]>> = {
  production: SHARED_SOURCES,
  local: [...SHARED_SOURCES, 'dev/site', 'dev/stand-in'],
};
const MADE = new Set(['dist', 'node_modules']);

const run = promisify(execFile);

export interface BuiltSiteOptions {
  readonly kind: SiteKind;
  /** By the hash of sources; clones can share it. */
  readonly cache: string;
  /** Takes seconds. */
  readonly onBuild: () => void;
  readonly signal?: AbortSignal;
}

/**
 * Builds it if missing.
 *
 * @throws if that fails
 */
export async function builtSite({ kind, cache, onBuild, signal }: BuiltSiteOptions): Promise<string> {
  const folder = join(cache, 'web', hashOfSources(kind));
  if (existsSync(join(folder, 'index.html'))) return folder;
  onBuild();
  // Aside and renamed: a folder under the hash is complete.
  const aside = `${folder}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  try {
    const args = [join(ROOT, 'dev/web/build.ts'), ...(kind === 'local' ? ['--local'] : []), aside];
    await run(process.execPath, args, { cwd: ROOT, ...(signal && { signal }) });
    if (!existsSync(folder)) renameSync(aside, folder);
  } catch (cause) {
    throw new Error(`the site in web/ does not build: ${errorText(cause)}`, { cause });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return folder;
}

function hashOfSources(kind: SiteKind): string {
  const hash = createHash('sha256').update(`${kind}\0`);
  for (const path of [...SOURCES[kind].flatMap(filesUnder), 'package-lock.json']) {
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest('hex').slice(0, 16);
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !MADE.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}
