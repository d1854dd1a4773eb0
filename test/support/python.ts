import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, installedOnce } from './cache.ts';

const run = promisify(execFile);

/** Longest that an installation takes, ms. */
export const INSTALL_MS = 300_000;

/** Whether this machine has a Python (3.10 or newer) that can install packages into a folder of ours. */
export function hasPython(): boolean {
  const program = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  return spawnSync('python3', ['-c', program], { stdio: 'ignore' }).status === 0;
}

/**
 * The folder with the programs of a Python that has exactly the packages of a requirements file, installed once into the
 * cache. Throws where the machine has no Python.
 */
export async function pythonWith(requirements: string, name: string): Promise<string> {
  const folder = cacheFolder(name, readFileSync(requirements, 'utf8'));
  const bin = join(folder, 'bin');
  await installedOnce(folder, async () => {
    if (!hasPython())
      throw new Error('python3 (3.10 or newer, with venv) is needed to run a program written in Python');
    await run('python3', ['-m', 'venv', folder]);
    const options = ['--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
    await run(join(bin, 'python'), ['-m', 'pip', 'install', ...options, '-r', requirements], { timeout: INSTALL_MS });
  });
  return bin;
}
