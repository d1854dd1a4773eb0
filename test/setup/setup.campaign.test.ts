import { Connection } from '@temporalio/client';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './database.ts';
import { createTestTemporal } from './temporal.ts';

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

test('two test databases do not see each other, and trigram search can be installed in them', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase({ migrated: false })]);
  await query(one.url, 'create table only_here (id int)');
  expect(await query(one.url, `select to_regclass('only_here')::text as found`)).toEqual([{ found: 'only_here' }]);
  expect(await query(other.url, `select to_regclass('only_here')::text as found`)).toEqual([{ found: null }]);
  await query(other.url, 'create extension pg_trgm');
  expect(await query(other.url, `select similarity('slipway', 'slipway') as same`)).toEqual([{ same: 1 }]);
  await other.drop();
  await expect(query(other.url, 'select 1')).rejects.toThrow('does not exist');
});

test('the run has a Temporal server whose namespace knows the search attributes of launches', async () => {
  const temporal = await createTestTemporal();
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace: temporal.namespace,
    });
    expect(Object.keys(customAttributes ?? {})).toEqual(
      expect.arrayContaining(['LaunchState', 'BlockedReason', 'PaymentSignature', 'Mint', 'Creator']),
    );
  } finally {
    await connection.close();
  }
  expect(temporal.unique('launches')).not.toBe((await createTestTemporal()).unique('launches'));
});
