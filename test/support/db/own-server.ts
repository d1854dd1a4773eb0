import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateToLatest } from '../../../db/migrate.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import { findPostgresBinaries } from '../../../dev/stack/postgres/binaries.ts';
import { databaseUrl, ensureDatabase, postgresPart, prepareCluster } from '../../../dev/stack/postgres/cluster.ts';
import { findLauncher } from '../../../dev/stack/postgres/launcher.ts';
import { Supervisor } from '../../../dev/stack/supervisor.ts';
import { eventually } from '../platform/eventually.ts';
import { copyServer, onServer } from './copy-server.ts';

const ROOT = join(import.meta.dirname, '../../../.data/test');
const DATABASE = 'slipway';

/** What a server needs that can have a standby, or be one. */
const REPLICATING = ['-c', 'wal_level=replica', '-c', 'max_wal_senders=4', '-c', 'max_replication_slots=2'];

/** The second server's part, application and slot. */
const STANDBY = 'standby';

/** A PostgreSQL of one test file's own, for what must not happen to the one that all share. */
export interface OwnServer {
  /** A migrated database of it. */
  readonly url: string;
  /** Starts a second server that follows it; answers its database. */
  addStandby(): Promise<string>;
  /** Ends it at once, so that it loses what it had not flushed; it starts again by itself. */
  crash(): Promise<void>;
  /** Starts it anew as a standby, which follows nobody. */
  becomeStandby(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnServer(name: string): Promise<OwnServer> {
  const directory = join(ROOT, `${name}-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  const binaries = findPostgresBinaries();
  const launcher = await findLauncher(binaries.postgres, directory);
  const port = await freePort();
  const cluster = { binaries, launcher, directory: join(directory, 'postgres'), port };
  const password = await prepareCluster(cluster);
  const supervisor = new Supervisor({
    logDirectory: join(directory, 'logs'),
    recordFile: join(directory, 'parts.json'),
    files: [directory],
    onEvent: () => undefined,
  });
  const part = postgresPart(cluster, password);
  const start = () => supervisor.start({ ...part, args: [...part.args, ...REPLICATING] });
  await start();
  await ensureDatabase(databaseUrl(port, password, 'postgres'), DATABASE);
  const url = databaseUrl(port, password, DATABASE);
  await migrateToLatest(url);
  return {
    url,
    async addStandby() {
      const standbyPort = await freePort();
      const copy = { ...cluster, directory: join(directory, STANDBY), port: standbyPort };
      mkdirSync(copy.directory, { recursive: true });
      await onServer(url, (server) =>
        copyServer(server, STANDBY, join(cluster.directory, 'data'), join(copy.directory, 'data')),
      );
      const from = ['-c', `primary_conninfo=${url}?application_name=${STANDBY}`, '-c', `primary_slot_name=${STANDBY}`];
      const follower = postgresPart(copy, password);
      await supervisor.start({ ...follower, name: STANDBY, args: [...follower.args, ...REPLICATING, ...from] });
      return databaseUrl(standbyPort, password, DATABASE);
    },
    async crash() {
      const pidFile = join(cluster.directory, 'data/postmaster.pid');
      const pidIn = () => (existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : null);
      const pid = pidIn();
      if (pid === null) throw new Error(`${cluster.directory} has no running PostgreSQL`);
      process.kill(pid, 'SIGQUIT');
      await eventually(async () => {
        if (pidIn() === null || pidIn() === pid) return null;
        return onServer(url, async () => true).catch(() => null);
      }, 'PostgreSQL runs again');
    },
    async becomeStandby() {
      await supervisor.end(part.name);
      writeFileSync(join(cluster.directory, 'data/standby.signal'), '');
      await start();
    },
    async stop() {
      await supervisor.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
