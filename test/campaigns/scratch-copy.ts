import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A copy of a repository that a program may change. */
export interface ScratchCopy {
  readonly path: string;
  readonly close: () => Promise<void>;
}

/** Copies what is committed at HEAD; packages are shared with the repository. */
export async function openScratchCopy(repository: string, name: string): Promise<ScratchCopy> {
  const root = await mkdtemp(join(tmpdir(), `${name}-`));
  const path = join(root, 'copy');
  const close = async (): Promise<void> => {
    await run('git', ['-C', repository, 'worktree', 'remove', '--force', path]);
    await rm(root, { recursive: true, force: true });
  };
  await run('git', ['-C', repository, 'worktree', 'add', '--detach', path, 'HEAD']);
  await symlink(join(repository, 'node_modules'), join(path, 'node_modules'));
  await mkdir(join(path, '.data/cache'), { recursive: true });
  return { path, close };
}
