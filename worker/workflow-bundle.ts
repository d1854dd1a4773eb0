import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker';
import type { Logger } from 'pino';
import { assertBundlable } from './bundle-path.ts';
import { quietTemporalLogger } from './logger.ts';

const PROJECT = join(import.meta.dirname, '..');
const PREFIX = 'workflow-bundle-';

/** `traced` passes traces to activities. */
export type BundleKind = 'plain' | 'traced';

/** Folder that saves a build at each restart; an image brings its own. */
export const CACHE_DIRECTORY = join(PROJECT, '.data', 'cache');

export const WORKFLOWS_PATH = join(PROJECT, 'workflows', 'index.ts');

const TRACES_PATH = join(PROJECT, 'workflows', 'traces.ts');

/** Folders of sources: import rules allow workflows only these. */
const SOURCE_FOLDERS = ['workflows', 'domain'];

/**
 * Builds the bundle in 0.5 to 1 s.
 * @throws with the folder if webpack cannot bundle from it
 */
export async function buildWorkflowBundle(logger: Logger, kind: BundleKind = 'plain'): Promise<WorkflowBundle> {
  assertBundlable(WORKFLOWS_PATH);
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS_PATH,
    workflowInterceptorModules: kind === 'traced' ? [TRACES_PATH] : [],
    logger: quietTemporalLogger(logger),
  });
  return { code };
}

/**
 * Returns the bundle from `cacheDir` if the same sources were bundled: the name has their hash and the lock file's.
 * Removes others.
 */
export async function cachedWorkflowBundle(
  cacheDir: string,
  logger: Logger,
  kind: BundleKind = 'plain',
): Promise<WorkflowBundle> {
  const sources = await hashOfSources();
  const name = `${PREFIX}${sources}${kind === 'traced' ? '-traced' : ''}.js`;
  const cached = await readIfThere(join(cacheDir, name));
  if (cached !== null) return { code: cached };
  const bundle = await buildWorkflowBundle(logger, kind);
  await mkdir(cacheDir, { recursive: true });
  await removeOthers(cacheDir, sources);
  await writeAtomically(join(cacheDir, name), bundle.code);
  return bundle;
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  hash.update(await readFile(join(PROJECT, 'package-lock.json')));
  for (const file of await sourceFiles()) hash.update(`\0${file}\0`).update(await readFile(join(PROJECT, file)));
  return hash.digest('hex').slice(0, 32);
}

async function sourceFiles(): Promise<string[]> {
  const folders = await Promise.all(
    SOURCE_FOLDERS.map(async (folder) => {
      const names = await readdir(join(PROJECT, folder), { recursive: true });
      return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
    }),
  );
  return folders.flat().sort();
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function removeOthers(cacheDir: string, sources: string): Promise<void> {
  const names = await readdir(cacheDir);
  const others = names.filter((name) => name.startsWith(PREFIX) && !name.startsWith(`${PREFIX}${sources}`));
  await Promise.all(others.map((name) => rm(join(cacheDir, name), { force: true })));
}

async function writeAtomically(path: string, content: string): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, content);
  await rename(temporary, path);
}
