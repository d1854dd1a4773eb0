import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgresBinaries } from '../../../../dev/stack/postgres/binaries.ts';
import { POSTGRES_USER, postgresPart, prepareCluster } from '../../../../dev/stack/postgres/cluster.ts';
import { findLauncher } from '../../../../dev/stack/postgres/launcher.ts';
import type { Machine } from './machine.ts';
import type { Tls } from './tls.ts';

const SQL = join(import.meta.dirname, 'sql-main.ts');

/** The name that the page calls `db1`'s superuser by; `slipway` is the page's to create. */
const SUPERUSER = 'postgres';

export type RunSql = (statement: string, database?: string) => Promise<string>;

/** Starts PostgreSQL on its usual port, with TLS; returns how its superuser runs a statement. Throws what it refuses. */
export async function startPostgres(machine: Machine, tls: Tls): Promise<RunSql> {
  const directory = join(machine.directory, 'postgres');
  mkdirSync(directory);
  const binaries = findPostgresBinaries();
  const launcher = await findLauncher(binaries.postgres, directory);
  const cluster = { binaries, launcher, directory: join(directory, 'cluster'), port: 5_432 };
  const password = await prepareCluster(cluster);
  if (launcher.owner !== undefined) chownSync(tls.keyFile, launcher.owner.uid, launcher.owner.gid);
  const { command, args } = postgresPart(cluster, password);
  const secured = ['ssl=on', `ssl_cert_file=${tls.certificateFile}`, `ssl_key_file=${tls.keyFile}`];
  const archived = ['wal_level=replica', 'archive_mode=on', 'archive_command=/bin/true'];
  const words = [command, ...args, ...[...secured, ...archived].flatMap((setting) => ['-c', setting])];
  machine.start('postgres', `exec ${words.map((word) => `'${word}'`).join(' ')}`, { LC_ALL: 'C' });
  const as =
    (user: string) =>
    async (statement: string, database = 'postgres') => {
      const url = `postgresql://${user}:${password}@127.0.0.1:5432/${database}`;
      const env = { DATABASE_URL: url, STATEMENT: statement };
      const { status, printed } = await machine.run(`${process.execPath} ${SQL} "$STATEMENT"`, env);
      if (status !== 0) throw new Error(printed);
      return printed.trim();
    };
  await machine.until(`${process.execPath} ${SQL} 'select 1'`, 'PostgreSQL', {
    DATABASE_URL: `postgresql://${POSTGRES_USER}:${password}@127.0.0.1:5432/postgres`,
  });
  await as(POSTGRES_USER)(`create role installer superuser login password '${password}'`);
  await as('installer')(`alter role ${POSTGRES_USER} rename to ${SUPERUSER}`);
  return as(SUPERUSER);
}
