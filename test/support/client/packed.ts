import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CLIENT = join(import.meta.dirname, '../../../client');

/** An empty folder that the packed client was installed into, as its user would. */
export interface Installed {
  readonly folder: string;
  /** Files of the tarball. */
  readonly files: readonly string[];
  /** Runs a program in the folder; resolves with what it printed. */
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
  remove(): Promise<void>;
}

/** `npm pack` of the client and `npm install` of the tarball; what the cache has is not fetched again. */
export async function installPacked(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-client-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: CLIENT });
  const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack left no tarball: ${stdout}`);
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

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
