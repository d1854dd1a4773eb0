import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as auditLog from '../../db/platform/audit-log.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as switches from '../../db/platform/switches.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops, STACK } from '../support/ops/ops-run.ts';

let url: string;
let db: Db;
let env: Record<string, string>;

beforeAll(async () => {
  url = (await createTestDatabase()).url;
  db = connect(url);
  env = { DATABASE_URL: url };
});
afterAll(() => db.destroy());

const valueOf = async (name: 'launching' | 'rewardLaunches') => (await switches.read(db))[name];

test('switches shows every switch, as a table and as JSON', async () => {
  const table = await ops(env, 'switches');
  expect(table.status).toBe(0);
  expect(table.printed).toMatch(/^SWITCH +VALUE +CHANGED BY +AT\n/);
  const json = JSON.parse((await ops(env, 'switches --json')).printed) as { switches: { name: string }[] };
  expect(json.switches.map(({ name }) => name)).toEqual([
    'airdrops',
    'claiming',
    'devBuys',
    'launching',
    'rewardLaunches',
  ]);
});

test('switches set changes the switch and audits who did it and why', async () => {
  const run = await ops(env, 'switches set launching off --actor ada --note maintenance');
  expect([run.status, run.printed]).toEqual([0, 'launching is off\n']);
  expect(await valueOf('launching')).toBe('off');
  expect((await auditLog.ofSubject(db, 'switch/launching'))[0]).toMatchObject({
    actor: 'ada',
    action: 'switch.set',
    note: 'maintenance',
    details: { value: 'off' },
  });
});

test('without --actor the OS user is audited, and --json works behind the subcommand', async () => {
  const run = await ops(env, 'switches set rewardLaunches admin --json');
  expect(JSON.parse(run.printed)).toMatchObject({
    switch: { name: 'rewardLaunches', value: 'admin', changedBy: 'os-user' },
  });
});

test.each([
  ['switches set rewardLaunches on', 'switch "rewardLaunches" can be open or admin or off, not "on"'],
  [
    'switches set launch on',
    'there is no switch "launch", only launching, claiming, devBuys, airdrops, rewardLaunches',
  ],
])('%s changes nothing and says why', async (line, message) => {
  const before = await switches.list(db);
  expect(await ops(env, line)).toMatchObject({ status: 1, message, printed: '' });
  expect(await switches.list(db)).toEqual(before);
});

test.each(['switches set launching', 'switch', '--nothing'])('wrong usage (%s) ends with status 2', async (line) => {
  expect((await ops(env, line)).status).toBe(2);
});

test.each([
  '--help',
  'switches --help',
  'switches set --help',
  'pairs --help',
  'pairs add --help',
  'pairs retire --help',
])('%s explains and ends with status 0, without a database', async (line) => {
  const run = await ops({}, line);
  expect(run.status).toBe(0);
  expect(run.printed).toContain('Usage: ops');
});

test('without DATABASE_URL the running stack’s database is used', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ops-'));
  const stackFile = join(directory, 'stack.json');
  writeFileSync(stackFile, JSON.stringify({ ...STACK, databaseUrl: url }));
  expect((await ops({}, 'switches', stackFile)).status).toBe(0);
  rmSync(directory, { recursive: true });
});

test('with neither it says what to set, and an unreachable database is one line without its password', async () => {
  expect(await ops({}, 'switches')).toMatchObject({
    status: 1,
    message: 'set DATABASE_URL, or start the local stack: there is no /nonexistent/stack.json',
  });
  expect(await ops({ DATABASE_URL: 'postgres://u:secretpw@127.0.0.1:1/x' }, 'switches')).toMatchObject({
    status: 1,
    message: 'the database cannot be reached, or takes no writes: connect ECONNREFUSED 127.0.0.1:1',
  });
});
