import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const REPOSITORY = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the root, forward slashes. */
  path: string;
  text: string;
}

const gitLines = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\0')
    .filter((path) => path !== '');

export const trackedPaths = (): readonly string[] => {
  const deleted = new Set(gitLines('ls-files', '-z', '--deleted'));
  const present = gitLines('ls-files', '-z', '--cached', '--others', '--exclude-standard');
  return present.filter((path) => !deleted.has(path)).toSorted();
};

export const readSource = (path: string): SourceFile => ({ path, text: readFileSync(join(REPOSITORY, path), 'utf8') });

const SERVICE_FOLDERS = 'api|activities|chain|client|config|db|domain|observe|ops|web|worker|workflows';
const SERVICE_FILE = new RegExp(`^(${SERVICE_FOLDERS})/.*\\.tsx?$`);
const CODE_FILE = /\.(ts|tsx|mjs|cjs)$/;

export const isServiceFile = (path: string): boolean => SERVICE_FILE.test(path);

/** Outside of `test/`, not generated. */
export const isCommentedFile = (path: string): boolean =>
  CODE_FILE.test(path) && !/^test\//.test(path) && !/(^|\/)generated\//.test(path);
