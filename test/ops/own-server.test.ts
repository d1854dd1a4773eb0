import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiMetrics, createApiMeters } from '../../api/metrics/api-meters.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as switches from '../../db/platform/switches.ts';
import { waitingCommits } from '../../db/platform/waiting-commits.ts';
import { createRegistry } from '../../observe/registry.ts';
import { startOwnServer, type OwnServer } from '../support/db/own-server.ts';
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
