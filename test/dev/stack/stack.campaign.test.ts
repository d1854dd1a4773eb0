import { Connection } from '@temporalio/client';
import { readFileSync, statSync } from 'node:fs';
import pg from 'pg';
import Type from 'typebox';
import Value from 'typebox/value';
import { expect, test } from 'vitest';
import { StackRunsError } from '../../../dev/stack/errors.ts';
import { readPorts } from '../../../dev/stack/ports.ts';
import { readStackFile } from '../../../dev/stack/stack-file.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { createTestTemporal } from '../../setup/temporal.ts';
import { eventually } from '../../support/dev/eventually.ts';
import { leftBehind, postgresSegment } from '../../support/dev/left-behind.ts';
import { startTestStack, stackFolder } from '../../support/dev/stand-in-stack.ts';

// Whole stacks are started, some of them twice; on two busy cores that takes its time.
async function environmentOf(address: string): Promise<Record<string, string>> {
  return Value.Parse(Type.Record(Type.String(), Type.String()), await (await fetch(`${address}/env`)).json());
}

/** For tests that are not about Temporal: the server of the test run instead of one more. */
async function sharedTemporal(): Promise<{ TEMPORAL_ADDRESS: string }> {
  return { TEMPORAL_ADDRESS: (await createTestTemporal()).address };
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

test('a stack writes its addresses for this user alone, and nothing is left after its end', async () => {
  const layout = stackFolder();
  const { stack } = await startTestStack(layout);
  const segment = postgresSegment(layout);
  const { apiUrl, siteUrl, databaseUrl, temporalUiUrl, treasury } = stack;
  expect(readStackFile(layout.stackFile)).toMatchObject({ apiUrl, siteUrl, databaseUrl, temporalUiUrl, treasury });
  expect(apiUrl).toBe(`${siteUrl}/api/public/v1`);
  expect(statSync(layout.stackFile).mode & 0o777).toBe(0o600);
  expect(statSync(layout.keysFile).mode & 0o777).toBe(0o600);
  expect(await leftBehind(layout, segment)).not.toEqual([]);
  await stack.stop();
  expect(await leftBehind(layout, segment)).toEqual([]);
});

test('the API gets no key that moves money, the worker none that seals quotes', async () => {
  const layout = stackFolder();
  const env = { LAUNCH_SEEDS: 'set by the caller', ...(await sharedTemporal()) };
  const { stack } = await startTestStack(layout, { env });
  const api = await environmentOf(stack.siteUrl);
  const worker = await environmentOf(`http://127.0.0.1:${readPorts(layout.portsFile)?.worker}`);
  const movesMoney = ['LAUNCH_SEEDS', 'TREASURY_SECRET_KEY', 'PLATFORM_SECRET_KEY', 'REWARDS_SECRET_KEY'];
  expect(movesMoney.filter((name) => name in api)).toEqual([]);
  expect(movesMoney.filter((name) => name in worker)).toEqual(movesMoney);
  const sealsQuotes = ['QUOTE_KEYS', 'ADMIN_PASSWORD'];
  expect(sealsQuotes.filter((name) => name in api)).toEqual(sealsQuotes);
  expect(sealsQuotes.filter((name) => name in worker)).toEqual([]);
});

test('after kill -9 of each part in turn it is ready again at the same address within seconds, with its data', async () => {
  const layout = stackFolder();
  const { stack, events } = await startTestStack(layout);
  await query(stack.databaseUrl, 'create table kept as select 7 as id');
  for (const part of ['postgres', 'temporal', 'localnet', 'block-engine', 'worker', 'api']) {
    process.kill(stack.pidOf(part) ?? 0, 'SIGKILL');
    await eventually(() => {
      expect(events.filter((event) => event.kind === 'restarted').map((event) => event.part)).toContain(part);
    });
  }
  expect(events.flatMap((event) => (event.kind === 'died' ? [event.how] : []))).toEqual(
    Array(6).fill('was ended by SIGKILL'),
  );
  expect(await query(stack.databaseUrl, 'select id from kept')).toEqual([{ id: 7 }]);
  expect((await fetch(stack.siteUrl)).ok).toBe(true);
  const connection = await Connection.connect({ address: stack.temporalAddress });
  await connection.workflowService.describeNamespace({ namespace: 'default' });
  await connection.close();
  const segment = postgresSegment(layout);
  await stack.stop();
  expect(await leftBehind(layout, segment)).toEqual([]);
});

test('a part whose variable is set is used and not started', async () => {
  const [database, temporal] = await Promise.all([createTestDatabase({ migrated: false }), createTestTemporal()]);
  const { stack, events } = await startTestStack(stackFolder(), {
    env: {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      SOLANA_RPC_URL: 'http://127.0.0.1:1',
      BLOCK_ENGINE_URL: 'http://127.0.0.1:2',
    },
  });
  const started = events.flatMap((event) => (event.kind === 'starting' ? [event.part] : []));
  expect(started.sort()).toEqual(['api', 'worker']);
  expect(stack).toMatchObject({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    wsUrl: 'ws://127.0.0.1:2/',
  });
  const api = await environmentOf(stack.siteUrl);
  expect(api).toMatchObject({ DATABASE_URL: database.url, SOLANA_RPC_URL: 'http://127.0.0.1:1', DESK: '0' });
  expect(await query(database.url, `select to_regclass('launches')::text as found`)).toEqual([{ found: 'launches' }]);
});

test('a start without keep has fresh keys and an empty database, one with keep goes on with both at the same addresses', async () => {
  const layout = stackFolder();
  const env = await sharedTemporal();
  const first = await startTestStack(layout, { env });
  await query(first.stack.databaseUrl, 'create table kept as select 7 as id');
  await first.stack.stop();
  const second = await startTestStack(layout, { keep: true, env });
  expect(second.stack).toMatchObject({
    databaseUrl: first.stack.databaseUrl,
    treasury: first.stack.treasury,
    siteUrl: first.stack.siteUrl,
  });
  expect(await query(second.stack.databaseUrl, 'select id from kept')).toEqual([{ id: 7 }]);
  await second.stack.stop();
  const third = await startTestStack(layout, { env });
  expect(third.stack.treasury).not.toBe(first.stack.treasury);
  await expect(query(third.stack.databaseUrl, 'select id from kept')).rejects.toThrow('does not exist');
});

test('a second stack in the same folder is refused and does not disturb the first', async () => {
  const layout = stackFolder();
  const { stack } = await startTestStack(layout, { env: await sharedTemporal() });
  const before = readFileSync(layout.stackFile, 'utf8');
  await expect(startTestStack(layout)).rejects.toThrow(StackRunsError);
  expect(readFileSync(layout.stackFile, 'utf8')).toBe(before);
  expect((await fetch(stack.siteUrl)).ok).toBe(true);
});
