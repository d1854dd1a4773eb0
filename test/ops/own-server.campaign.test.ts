import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresProbe } from '../../api/health/probes.ts';
import { apiMetrics, createApiMeters } from '../../api/metrics/api-meters.ts';
import { grantToApi } from '../../db/api-role.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as switches from '../../db/platform/switches.ts';
import { waitingCommits } from '../../db/platform/waiting-commits.ts';
import { readinessOf } from '../../observe/readiness.ts';
import { createRegistry } from '../../observe/registry.ts';
import { databaseFindings } from '../../ops/commands/platform/doctor/database-check.ts';
import { connectionChecks } from '../../worker/connections.ts';
import { testApp } from '../support/api/test-app.ts';
import { startOwnServer, type OwnServer } from '../support/db/own-server.ts';
import { ops } from '../support/ops/ops-run.ts';
import { eventually } from '../support/platform/eventually.ts';
import { unconnectedWorker } from '../support/worker/unconnected.ts';

let server: OwnServer;
let db: Db;

beforeAll(async () => {
  server = await startOwnServer('own-server');
  db = connect(server.url, { onIdleError: () => undefined });
});
afterAll(async () => {
  await db.destroy();
  await server.stop();
});

/** The page of an API whose own pool is of no interest. */
async function apiPage(asked: Db): Promise<string> {
  const pool = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  const logger = pino({ level: 'silent' });
  const parts = { pool, replica: null, dependencies: [], db: asked, now: () => new Date(), logger };
  return createRegistry(apiMetrics(createApiMeters(), parts)).metrics();
}

async function workerPage(asked: Db): Promise<string> {
  const worker = await unconnectedWorker(asked);
  try {
    return await createRegistry(worker.meters).metrics();
  } finally {
    await worker.close();
  }
}

function figure(page: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
}

const commitWait = (page: string) => figure(page, 'slipway_commit_wait_seconds');

/** Names the standby that every commit waits for; none where it is empty. */
async function waitFor(standby: string): Promise<void> {
  await sql`alter system set synchronous_standby_names = ${sql.lit(standby)}`.execute(db);
  await sql`select pg_reload_conf()`.execute(db);
  await eventually(async () => {
    const { rows } = await sql<{ names: string }>`show synchronous_standby_names`.execute(db);
    return JSON.stringify(rows).includes(`"${standby}"`) || null;
  }, `standby "${standby}"`);
}

describe('a commit that waits for a synchronous standby', () => {
  /** A connection of the role that the API has, which `migrate up` knows. */
  async function asApi(): Promise<Db> {
    await sql`create role waiting_api login password 'waiting'`.execute(db);
    await grantToApi(db, 'waiting_api');
    const url = new URL(server.url);
    [url.username, url.password] = ['waiting_api', 'waiting'];
    return connect(url.href, { onIdleError: () => undefined });
  }

  it('is on the pages of API and worker for as long as it waits, of the own role’s at least', async () => {
    const api = await asApi();
    expect(commitWait(await apiPage(api))).toBe(0);
    await waitFor('nobody');
    const commit = switches.set(db, 'devBuys', 'on', { actor: 'test' });
    await eventually(async () => ((await waitingCommits(db)).count === 1 ? true : null), 'a commit that waits');
    expect(commitWait(await workerPage(db))).toBeGreaterThan(0);
    expect(commitWait(await apiPage(api))).toBe(0);
    await waitFor('');
    await commit;
    await sql`grant pg_monitor to waiting_api`.execute(db);
    await waitFor('nobody');
    const another = switches.set(db, 'devBuys', 'off', { actor: 'test' });
    await eventually(async () => ((await waitingCommits(db)).count === 1 ? true : null), 'another one');
    expect(commitWait(await apiPage(api))).toBeGreaterThan(0);
    await waitFor('');
    await another;
    expect(commitWait(await workerPage(db))).toBe(0);
    await api.destroy();
  });
});

describe('a database that answers and takes no writes', () => {
  const told = async () => {
    const { printed } = await ops({ DATABASE_URL: server.url }, 'status --json');
    const { lines } = JSON.parse(printed) as { lines: { subject: string; is: string; what: string; remedy: string }[] };
    const findings = await databaseFindings(db, { environment: 'test', genesisHash: null });
    return {
      status: lines.filter(({ subject }) => subject === 'database'),
      doctor: findings.filter(({ check, is }) => check === 'database' && is === 'problem'),
    };
  };
  const expectTold = async (what: string, remedy: string) => {
    const text = { what: expect.stringContaining(what) as unknown, remedy: expect.stringContaining(remedy) as unknown };
    const { status, doctor } = await told();
    expect(status).toEqual([{ alert: 'SlipwayDatabaseRefuses', subject: 'database', is: 'read-only', ...text }]);
    expect(doctor).toEqual([Object.assign({ check: 'database', is: 'problem' }, text)]);
  };
  /** What `/readyz` of the API answers, what that of the worker says of PostgreSQL, and what both pages say. */
  const readiness = async () => {
    const app = await testApp({ probes: [postgresProbe(db)] });
    const answer = await app.inject('/readyz');
    await app.close();
    const unasked = null as never;
    const { postgres } = connectionChecks({ db, rpc: unasked, temporal: unasked }, '');
    const { checks } = await readinessOf({ postgres });
    const pages = [await apiPage(db), await workerPage(db)];
    const writable = pages.map((page) => figure(page, 'slipway_database_writable'));
    return { status: answer.statusCode, said: answer.body, worker: checks['postgres'], writable };
  };
  const expectNotReady = async (what: string) =>
    expect(await readiness()).toEqual({
      status: 503,
      said: expect.stringContaining(`"reason":"${what}"`) as unknown,
      worker: what,
      writable: [0, 0],
    });

  it('is told by ops status, ops doctor, /readyz and /metrics where it was told to refuse them, and not before', async () => {
    expect(await told()).toEqual({ status: [], doctor: [] });
    expect(await readiness()).toMatchObject({ status: 200, worker: 'ok', writable: [1, 1] });
    await sql`alter database slipway set default_transaction_read_only = on`.execute(db);
    await db.destroy();
    db = connect(server.url, { onIdleError: () => undefined });
    await expectTold('on, set by database', 'alter database "slipway" reset default_transaction_read_only');
    await expectNotReady('it takes no writes: default_transaction_read_only is on');
    const [{ remedy } = { remedy: '' }] = (await told()).status;
    const statements = [...remedy.matchAll(/-c (["'])(.*?)\1(?= |;)/g)].map(([, , text]) => text!);
    await db.connection().execute(async (session) => {
      for (const statement of statements) await sql.raw(statement).execute(session);
    });
    await db.destroy();
    db = connect(server.url, { onIdleError: () => undefined });
    expect(await told()).toEqual({ status: [], doctor: [] });
  });

  it('is told where it is a standby', async () => {
    await server.becomeStandby();
    await expectTold('it is a standby', 'from pg_stat_wal_receiver');
    await expectNotReady('it takes no writes: it is a standby');
  });
});
