import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { HealthCheck } from '../health.ts';
import type { PartSpec } from '../part.ts';
import type { PostgresBinaries } from './binaries.ts';
import type { Launcher } from './launcher.ts';

const run = promisify(execFile);

export const POSTGRES_USER = 'slipway';

/**
 * PostgreSQL settings. Without `fsync` data survives `kill -9`, not a crash of the machine, after which the stack
 * starts afresh. Shared memory in the data directory, no socket file: nothing is left outside.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  dynamic_shared_memory_type: 'mmap',
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
  log_line_prefix: '%m [%p] %q%a %d ',
};

export type ClusterOptions = {
  readonly binaries: PostgresBinaries;
  readonly launcher: Launcher;
  /** Cluster (`data`) and password (`password`). */
  readonly directory: string;
  readonly port: number;
  /** PostgreSQL 16 has no built-in one. */
  readonly localeProvider?: 'builtin' | 'libc';
};

const LOCALES = { builtin: ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'], libc: [] } as const;

function makeDirectory(path: string, launcher: Launcher): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (launcher.owner !== undefined) chownSync(path, launcher.owner.uid, launcher.owner.gid);
}

export async function prepareCluster(options: ClusterOptions): Promise<string> {
  const { binaries, launcher, directory, localeProvider = 'builtin' } = options;
  const data = join(directory, 'data');
  const passwordFile = join(directory, 'password');
  if (existsSync(data)) return readFileSync(passwordFile, 'utf8');
  makeDirectory(directory, launcher);
  const password = randomBytes(24).toString('base64url');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (launcher.owner !== undefined) chownSync(passwordFile, launcher.owner.uid, launcher.owner.gid);
  const unfinished = join(directory, 'unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  await withPlainPath(binaries.initdb, launcher, async (initdb) => {
    const [command = initdb, ...args] = [
      ...launcher.prefix,
      initdb,
      `--pgdata=${unfinished}`,
      `--username=${POSTGRES_USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      ...LOCALES[localeProvider],
      '--locale=C',
      '--no-sync',
    ];
    await run(command, args, { env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } });
  });
  renameSync(unfinished, data);
  return password;
}

/** Letters that a shell reads within double quotes. */
const READ_BY_SHELLS = /["$`\\]/;

/** Runs with `initdb`, or with a copy: it starts `postgres`, which is beside it, by a shell. */
async function withPlainPath(
  initdb: string,
  launcher: Launcher,
  work: (initdb: string) => Promise<void>,
): Promise<void> {
  if (!READ_BY_SHELLS.test(initdb)) return work(initdb);
  const copy = mkdtempSync(join(tmpdir(), 'slipway-initdb-'));
  try {
    makeDirectory(copy, launcher);
    cpSync(dirname(dirname(initdb)), copy, { recursive: true, verbatimSymlinks: true });
    await work(join(copy, 'bin', basename(initdb)));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

export function databaseUrl(port: number, password: string, database: string): string {
  return `postgresql://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${database}`;
}

/** @param dataDirectory tells servers on the port apart */
export function postgresHealth(url: string, dataDirectory: string): HealthCheck {
  return async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
    // A restarting server drops the idle connection.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      const told = rows[0]?.data_directory ?? 'none';
      if (resolve(told) !== resolve(dataDirectory))
        throw new Error(`another PostgreSQL answers there, of the data directory ${told}`);
    } finally {
      await client.end();
    }
  };
}

/** @param directory with the prepared cluster */
export function postgresPart({ binaries, launcher, directory, port }: ClusterOptions, password: string): PartSpec {
  const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const words = [...launcher.prefix, binaries.postgres, '-D', join(directory, 'data'), ...settings];
  return {
    name: 'postgres',
    command: words[0] ?? binaries.postgres,
    args: words.slice(1),
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    address: `127.0.0.1:${port}`,
    ports: [port],
    health: postgresHealth(databaseUrl(port, password, 'postgres'), join(directory, 'data')),
    readyWithinMs: 30_000,
    stopStage: 6,
    // Disconnects clients, loses nothing.
    stopSignal: 'SIGINT',
    stopWithinMs: 10_000,
  };
}

/** @param adminUrl another database of the server */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
