import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** What belongs to the running server alone, and what the slot keeps for the standby. */
const NOT_COPIED = ['./postmaster.pid', './postmaster.opts', './pg_wal/*', './pg_replslot/*', './pg_dynshmem/*'];

/** Makes a standby's directory, whose log a slot keeps, by a base backup of a server that goes on meanwhile, by its low-level API: the packages that are installed have no pg_basebackup. */
export async function copyServer(server: pg.Client, slot: string, from: string, to: string): Promise<void> {
  await server.query('select pg_create_physical_replication_slot($1, true)', [slot]);
  await server.query('select pg_backup_start($1, true)', [slot]);
  await copyFiles(from, to);
  const { rows } = await server.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  const { uid, gid } = statSync(from);
  for (const [name, text] of Object.entries({ backup_label: rows[0]?.labelfile ?? '', 'standby.signal': '' })) {
    writeFileSync(join(to, name), text, { mode: 0o600 });
    chownSync(join(to, name), uid, gid);
  }
}

/** Files that grow or go while they are read are mended by what the server logs; only tar says no more of it than status 1. */
async function copyFiles(from: string, to: string): Promise<void> {
  const archive = join(dirname(to), 'base.tar');
  mkdirSync(to, { mode: 0o700 });
  await run('tar', ['-cf', archive, ...NOT_COPIED.map((path) => `--exclude=${path}`), '-C', from, '.']).catch(
    (error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 1)) throw error;
    },
  );
  await run('tar', ['-xpf', archive, '-C', to]);
  rmSync(archive);
}

/** Asks a server itself, past whatever stands before it. */
export async function onServer<T>(url: string, ask: (server: pg.Client) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: url });
  await server.connect();
  try {
    return await ask(server);
  } finally {
    await server.end();
  }
}
