import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { grantToApi } from '../../db/api-role.ts';
import { connect } from '../../db/connect.ts';
import { migrateToLatest } from '../../db/migrate.ts';
import type { OnEvent } from '../../dev/stack/part.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { findPostgresBinaries } from '../../dev/stack/postgres/binaries.ts';
import { databaseUrl, ensureDatabase, postgresPart, prepareCluster } from '../../dev/stack/postgres/cluster.ts';
import { findLauncher } from '../../dev/stack/postgres/launcher.ts';
import { Supervisor } from '../../dev/stack/supervisor.ts';
import { findTemporalBinary } from '../../dev/stack/temporal/find-binary.ts';
import { temporalPart } from '../../dev/stack/temporal/server.ts';

import { API_ROLE } from './api-role.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEMPLATE = 'template_slipway';

/** The embedded PostgreSQL of this test run. */
export type PostgresService = {
  /** A database of the server that nobody clones: to create and drop others from. */
  readonly adminUrl: string;
  /** The migrated database that `createTestDatabase` clones. */
  readonly template: string;
};

/** The embedded Temporal server of this test run. */
export type TemporalService = {
  readonly address: string;
  /** Path of the `temporal` binary. */
  readonly cli: string;
};

/** Servers that are started when the first test asks for them, once for the whole run. */
export type TestServices = {
  readonly postgres: () => Promise<PostgresService>;
  readonly temporal: () => Promise<TemporalService>;
  /** Path of the `temporal` binary, built if need be. */
  readonly temporalBinary: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function startPostgres(supervisor: Supervisor, directory: string, port: number): Promise<PostgresService> {
  const binaries = findPostgresBinaries();
  mkdirSync(dirname(directory), { recursive: true });
  const launcher = await findLauncher(binaries.postgres, dirname(directory));
  const cluster = { binaries, launcher, directory, port };
  const password = await prepareCluster(cluster);
  await supervisor.start(postgresPart(cluster, password));
  const adminUrl = databaseUrl(port, password, 'postgres');
  await ensureDatabase(adminUrl, TEMPLATE);
  const template = databaseUrl(port, password, TEMPLATE);
  await migrateToLatest(template);
  const db = connect(template);
  await sql`create role ${sql.id(API_ROLE)} login password ${sql.lit(API_ROLE)}`.execute(db);
  await grantToApi(db, API_ROLE);
  await db.destroy();
  return { adminUrl, template: TEMPLATE };
}

async function startTemporal(supervisor: Supervisor, binary: string, directory: string): Promise<TemporalService> {
  const [port, httpPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  mkdirSync(directory, { recursive: true });
  const databaseFile = join(directory, 'temporal.db');
  await supervisor.start(
    temporalPart({
      binary,
      namespace: 'default',
      databaseFile,
      port,
      ui: null,
      httpPort,
      metricsPort,
      temporaryDirectory: directory,
    }),
  );
  return { address: `127.0.0.1:${port}`, cli: binary };
}

/** Prepares the servers of a test run; none is started yet. `onText` tells a person what takes its time. */
export function createTestServices(onText: (text: string) => void): TestServices {
  const directory = join(ROOT, '.data/test', String(process.pid));
  const onEvent: OnEvent = (event) => {
    if (event.kind === 'note') onText(event.text);
    if (event.kind === 'ready') onText(`${event.part} is ready on ${event.address} (${event.ms} ms)`);
    if (event.kind === 'died') onText(`${event.part} ${event.how}; starting it again …`);
  };
  let running: Supervisor | undefined;
  const supervisor = () =>
    (running ??= new Supervisor({
      logDirectory: join(directory, 'logs'),
      recordFile: join(directory, 'parts.json'),
      files: [directory],
      onEvent,
    }));
  const temporalBinary = once(() =>
    findTemporalBinary({
      cacheDirectory: process.env['SLIPWAY_CACHE_DIR'] ?? join(ROOT, '.data/cache'),
      path: process.env['PATH'] ?? '',
      onProgress: onText,
      track: (name, leader) => supervisor().track(name, leader),
    }),
  );
  return {
    temporalBinary,
    postgres: once(async () => startPostgres(supervisor(), join(directory, 'postgres'), await freePort())),
    temporal: once(async () => startTemporal(supervisor(), await temporalBinary(), join(directory, 'temporal'))),
    stop: async () => {
      await running?.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
