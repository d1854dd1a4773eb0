import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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

/** `npm pack` of the client and `npm install` of the tarball in a new folder; what the cache has is not fetched again. */
export async function installPacked(parent = tmpdir()): Promise<Installed> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'slipway-client-'));
  await pack(folder);
  const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack left no tarball');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quietly, join(folder, tarball)], { cwd: folder });
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

/** Builds and packs a copy, so that tests at the same time do not build into one another's files. */
async function pack(folder: string): Promise<void> {
  await mkdir(IN_CLONE, { recursive: true });
  const copy = await mkdtemp(join(IN_CLONE, 'pack-'));
  try {
    const client = join(ROOT, 'client');
    await cp(client, copy, { recursive: true, filter: (source) => source !== join(client, 'dist') });
    await run('npm', ['pack', '--loglevel=error', '--pack-destination', folder], { cwd: copy });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
