import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresHealth } from '../../../dev/stack/postgres/cluster.ts';
import type { PartSpec } from '../../../dev/stack/part.ts';
import { createPortAllocator } from '../../../dev/stack/ports.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { specOf } from './releases.ts';

const run = promisify(execFile);

/** The part, the name by which the primary knows it, and that of its slot. */
const STANDBY = 'standby';

/** As docs/deploy.md asks of the primary. */
const REPLICATING = { wal_level: 'replica', max_wal_senders: '4', max_replication_slots: '4' };

/** What belongs to the running server alone, and what the slot keeps for the standby. */
const NOT_COPIED = ['./postmaster.pid', './postmaster.opts', './pg_wal/*', './pg_replslot/*', './pg_dynshmem/*'];

const freePort = createPortAllocator();

/**
 * Puts a second server beside the stack's PostgreSQL, which from then on confirms no commit that the second one has not on its
 * disk. Answers the second one's URL; until it is promoted it can be read only.
 */
export async function addStandby(stack: RealStack): Promise<string> {
  const { databaseUrl } = stack.stack;
  const primary = withSettings(specOf(stack, 'postgres'), REPLICATING);
  await stack.stack.end('postgres');
  await stack.stack.start(primary);
  const standbyUrl = await startStandby(stack, primary);
  await onServer(databaseUrl, async (server) => {
    await server.query(`alter system set synchronous_standby_names = '${STANDBY}'`);
    await server.query('select pg_reload_conf()');
    await eventually(async () => {
      const { rows } = await server.query('select 1 from pg_stat_replication where sync_state = $1', ['sync']);
      return rows.length === 1 || null;
    }, 'a synchronous standby');
  });
  return standbyUrl;
}

async function startStandby(stack: RealStack, primary: PartSpec): Promise<string> {
  const { databaseUrl } = stack.stack;
  const [from, port] = [join(stack.layout.postgres, 'data'), await freePort()];
  const directory = join(stack.layout.postgres, STANDBY);
  await onServer(databaseUrl, (server) => copyServer(server, from, directory));
  const url = new URL(databaseUrl);
  url.port = String(port);
  const spec = withSettings(primary, {
    port: String(port),
    primary_conninfo: `${databaseUrl}?application_name=${STANDBY}`,
    primary_slot_name: STANDBY,
  });
  await stack.stack.start({
    ...spec,
    name: STANDBY,
    args: spec.args.map((word) => (word === from ? directory : word)),
    address: `127.0.0.1:${port}`,
    health: postgresHealth(url.href),
  });
  return url.href;
}

/** A base backup of a server that goes on meanwhile, by its low-level API: the packages that are installed have no pg_basebackup. */
async function copyServer(server: pg.Client, from: string, to: string): Promise<void> {
  await server.query('select pg_create_physical_replication_slot($1, true)', [STANDBY]);
  await server.query('select pg_backup_start($1, true)', [STANDBY]);
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

/** Of a setting that is given twice the last one counts. */
function withSettings(spec: PartSpec, settings: Readonly<Record<string, string>>): PartSpec {
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return { ...spec, args: [...spec.args, ...words] };
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
