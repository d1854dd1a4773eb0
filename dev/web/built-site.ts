import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../../domain/error-text.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Folders that a build follows from, beside the locked packages. */
const SOURCES = ['web', 'client', 'dev/web'];
/** Folders of them that are made, not written. */
const MADE = new Set(['dist', 'node_modules']);

const run = promisify(execFile);

/** How a build is found or made. */
export interface BuiltSiteOptions {
  /** Folder that builds are kept in, each under the hash of its sources; several clones can share it. */
  readonly cache: string;
  /** Called before the site is built, which takes seconds. */
  readonly onBuild: () => void;
  readonly signal?: AbortSignal;
}

/** The folder of the built site: the build of these very sources, made now where there is none. Throws an Error where it does not build. */
export async function builtSite({ cache, onBuild, signal }: BuiltSiteOptions): Promise<string> {
  const folder = join(cache, 'web', hashOfSources());
  if (existsSync(join(folder, 'index.html'))) return folder;
  onBuild();
  // Made aside and moved there whole: what stands under the hash is complete, whoever else builds at the same time.
  const aside = `${folder}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  try {
    await run(process.execPath, [join(ROOT, 'dev/web/build.ts'), aside], { cwd: ROOT, ...(signal && { signal }) });
    if (!existsSync(folder)) renameSync(aside, folder);
  } catch (cause) {
    throw new Error(`the site in web/ does not build: ${errorText(cause)}`, { cause });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return folder;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const path of [...SOURCES.flatMap(filesUnder), 'package-lock.json']) {
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
