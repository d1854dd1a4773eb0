import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiMetrics, createApiMeters } from '../../api/metrics/api-meters.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as switches from '../../db/platform/switches.ts';
import { waitingCommits } from '../../db/platform/waiting-commits.ts';
import { createRegistry } from '../../observe/registry.ts';
import { databaseFindings } from '../../ops/commands/platform/doctor/database-check.ts';
import { startOwnServer, type OwnServer } from '../support/db/own-server.ts';
import { ops } from '../support/ops/ops-run.ts';
import { eventually } from '../support/platform/eventually.ts';

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
async function commitWait(): Promise<number> {
  const pool = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  const parts = { pool, db, now: () => new Date(), logger: pino({ level: 'silent' }) };
  const page = await createRegistry(apiMetrics(createApiMeters(), parts)).metrics();
  return Number(/^slipway_api_commit_wait_seconds (\S+)$/m.exec(page)?.[1]);
}

/** Names the standby that every commit waits for; none where it is empty. */
async function waitFor(standby: string): Promise<void> {
  await sql`alter system set synchronous_standby_names = ${sql.lit(standby)}`.execute(db);
  await sql`select pg_reload_conf()`.execute(db);
  await eventually(async () => {
    const { rows } = await sql<{ names: string }>`show synchronous_standby_names`.execute(db);
    return JSON.stringify(rows).includes(`"${standby}"`) || null;
  }, `standby "${standby}"`);
}

it('a commit that waits for a synchronous standby is on the page of the API for as long as it waits', async () => {
  expect(await commitWait()).toBe(0);
  await waitFor('nobody');
  const commit = switches.set(db, 'devBuys', 'on', { actor: 'test' });
  await eventually(async () => ((await waitingCommits(db)).count === 1 ? true : null), 'a commit that waits');
  expect(await commitWait()).toBeGreaterThan(0);
  await waitFor('');
  await commit;
  expect(await commitWait()).toBe(0);
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
    expect(status).toEqual([Object.assign({ subject: 'database', is: 'read-only' }, text)]);
    expect(doctor).toEqual([Object.assign({ check: 'database', is: 'problem' }, text)]);
  };

  it('is told by ops status and ops doctor where it was told to refuse them, and not before', async () => {
    expect(await told()).toEqual({ status: [], doctor: [] });
    await sql`alter database slipway set default_transaction_read_only = on`.execute(db);
    await db.destroy();
    db = connect(server.url, { onIdleError: () => undefined });
    await expectTold('default_transaction_read_only is on', 'from pg_settings');
    await sql`begin; set transaction read write; alter database slipway reset default_transaction_read_only; commit`.execute(
      db,
    );
  });

  it('is told where it is a standby', async () => {
    await server.becomeStandby();
    await expectTold('it is a standby', 'from pg_stat_wal_receiver');
  });
});
