import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packClient } from '../../../dev/client/package.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

/** Inside the clone: what is there finds the clone's packages. */
export const IN_CLONE = join(ROOT, '.data');

/** An empty folder that the packed client was installed into, as its user would. */
export interface Installed {
  readonly folder: string;
  /** Files of the tarball. */
  readonly files: readonly string[];
  /** Runs a program in the folder; resolves with what it printed. */
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
  remove(): Promise<void>;
}

/** Installs the package of this commit in a new folder by npm; what the cache has is not fetched again. */
export async function installPacked(parent = tmpdir()): Promise<Installed> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'slipway-client-'));
  const { fileName, bytes } = await packClient();
  await writeFile(join(folder, fileName), bytes);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quietly, join(folder, fileName)], { cwd: folder });
  return {
    folder,
    files: await filesOf(join(folder, 'node_modules/slipway-client')),
    run: async (command, args, env = {}) => {
      const { PATH } = process.env;
      return (await run(command, [...args], { cwd: folder, env: { PATH, ...env } })).stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
