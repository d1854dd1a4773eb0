import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grantToApi } from '../../db/api-role.ts';
import { assertSchemaKnown, createSchemaCheck, schemaReport } from '../../db/catalogue/live-schema.ts';
import { connect, type Db } from '../../db/connect.ts';
import { migrateToLatest } from '../../db/migrate.ts';
import { SchemaMismatchError } from '../../db/schema-gap.ts';
import { startLocalnet } from '../../dev/localnet/index.ts';
import { connectionChecks } from '../../worker/connections.ts';
import { postgresProbe } from '../../api/health/probes.ts';
import { readinessOf } from '../../observe/readiness.ts';
import { apiUrlOf, createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { LOCAL_VARIABLES } from '../support/api/api-config.ts';
import { testApp } from '../support/api/test-app.ts';

let database: TestDatabase;
let db: Db;

beforeEach(async () => {
  database = await createTestDatabase();
  db = connect(database.url);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const change = (statement: string) => sql.raw(statement).execute(db);
const ran = (name: string) => sql`insert into kysely_migration values (${name}, now()::text)`.execute(db);
const DROP = 'alter table sealed_logs drop column written_at';
const LACKS = 'the schema is not that of this release: column sealed_logs.written_at is missing';

/** Why no process may start, and what else differs. */
async function seen(statement: string): Promise<{ problem: string | null; notes: readonly string[] }> {
  await change(statement);
  const { problem, notes } = await schemaReport(db);
  return { problem, notes };
}

describe('a migrated database', () => {
  it('fits, also as the role of the API sees it, and with partitions that rounds add', async () => {
    const fits = { problem: null, notes: [] };
    expect(await schemaReport(db)).toMatchObject(fits);
    const ofApi = connect(apiUrlOf(database.url));
    expect(await schemaReport(ofApi)).toMatchObject(fits);
    await ofApi.destroy();
    expect(await seen('create table market_swaps_9999 partition of market_swaps for values in (9999)')).toEqual(fits);
  });

  it('fits without a role of the API, and whatever its roles are called', async () => {
    const owner = `owner "${new URL(database.url).pathname.slice(1)}`;
    const [named, api] = [sql.id(owner), sql.id(`${owner} of the api`)];
    await sql`create role ${named} login superuser password 'x'`.execute(db);
    await sql`create role ${api}`.execute(db);
    const own = await createTestDatabase({ migrated: false });
    const url = new URL(own.url);
    [url.username, url.password] = [encodeURIComponent(owner), 'x'];
    await migrateToLatest(url.href);
    const asOwner = connect(url.href);
    expect(await schemaReport(asOwner)).toMatchObject({ problem: null, notes: [] });
    await grantToApi(asOwner, `${owner} of the api`);
    expect(await schemaReport(asOwner)).toMatchObject({ problem: null, notes: [] });
    await asOwner.destroy();
    await own.drop();
    await sql`drop role ${named}, ${api}`.execute(db);
  });
});

describe('a schema that was changed beside the migrations', () => {
  it.each([
    ['column sealed_logs.written_at is missing', DROP],
    ['column launches.submitted_at is different', 'alter table launches alter submitted_at drop not null'],
    [
      'trigger audit_log.audit_log_append_only is different',
      'alter table audit_log disable trigger audit_log_append_only',
    ],
    [
      'constraint reward_snapshots.reward_snapshots_read is missing',
      'alter table reward_snapshots drop constraint reward_snapshots_read',
    ],
    ['index sealed_logs.sealed_logs_open is missing', 'drop index sealed_logs_open'],
    ['grant select on tokens is missing', 'revoke select on tokens from slipway_api'],
    [
      'function refuse_change() is different',
      'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    ],
  ])('is refused by name: %s', async (named, statement) => {
    expect((await seen(statement)).problem).toContain(named);
    await expect(assertSchemaKnown(db, () => undefined)).rejects.toThrow(SchemaMismatchError);
  });

  it.each([
    ['index launches.mine is additional', 'create index mine on launches (client)'],
    ['column launches.mine is additional', 'alter table launches add column mine text'],
    ['index airdrops.airdrops_of_set is missing', 'drop index airdrops_of_set'],
    ['comment launches.client is different', "comment on column launches.client is 'mine'"],
    ['grant update on reward_payouts is additional', 'grant update on reward_payouts to slipway_api'],
  ])('is only named: %s', async (named, statement) => {
    expect(await seen(statement)).toEqual({ problem: null, notes: [named] });
    const warnings: string[] = [];
    await assertSchemaKnown(db, (difference) => warnings.push(difference));
    expect(warnings).toEqual([named]);
  });
});

describe('a database of a newer release', () => {
  const CHANGE =
    'alter table sealed_logs drop constraint sealed_logs_seal, add constraint sealed_logs_seal check (number > 1)';

  it('that only added something may have other definitions, but lacks nothing', async () => {
    await ran('9001-expand-amounts');
    const notes = ['constraint sealed_logs.sealed_logs_seal is different'];
    expect(await seen(CHANGE)).toEqual({ problem: null, notes });
    expect(await seen(DROP)).toEqual({ problem: LACKS, notes });
  });

  it('that removed something keeps no running process from serving, and lets none start', async () => {
    const check = createSchemaCheck(db);
    await change(DROP);
    await ran('9001-contract-logs');
    await expect(check()).resolves.toBeUndefined();
    await expect(assertSchemaKnown(db, () => undefined)).rejects.toThrow('does not know migration 9001-contract-logs');
  });
});

describe('a process on a database that lacks a column', () => {
  it('is not ready, and names the column: API and worker', async () => {
    await change(DROP);
    const app = await testApp({ probes: [postgresProbe(db)] });
    const answer = await app.inject('/readyz');
    await app.close();
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ checks: { postgres: { status: 'down', reason: LACKS } } });
    const unasked = null as never;
    const { postgres } = connectionChecks({ db, rpc: unasked, temporal: unasked }, '');
    expect(await readinessOf({ postgres })).toEqual({ ready: false, checks: { postgres: LACKS } });
  });

  it('reads the schema once in a minute', async () => {
    const statements: string[] = [];
    const check = createSchemaCheck(
      db.withPlugin({
        transformQuery: ({ node }) => (statements.push(node.kind), node),
        transformResult: async ({ result }) => result,
      }),
    );
    await check();
    const first = statements.length;
    expect(first).toBeGreaterThan(0);
    for (let times = 0; times < 20; times++) await check();
    expect(statements).toHaveLength(first);
  });

  it('does not start: the API names the column and ends with 1', async () => {
    await change(DROP);
    const chain = await startLocalnet({});
    const env = {
      PATH: process.env['PATH'],
      ...LOCAL_VARIABLES,
      DATABASE_URL: database.url,
      SOLANA_RPC_URL: chain.rpcUrl,
    };
    const main = join(import.meta.dirname, '../../dev/local/api-main.ts');
    const starting = promisify(execFile)(process.execPath, [main], { env });
    await expect(starting).rejects.toMatchObject({ code: 1, stderr: `api: ${LACKS}\n` });
    await chain.close();
  });
});
