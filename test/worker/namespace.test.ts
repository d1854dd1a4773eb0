import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureRetention } from '../../worker/namespace.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { createTestTemporal } from '../setup/temporal.ts';
import { registerNamespace } from '../support/worker/namespaces.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes.ts';

let connection: NativeConnection;
let namespace: string;

beforeAll(async () => {
  const temporal = await createTestTemporal();
  connection = await NativeConnection.connect({ address: temporal.address });
  namespace = temporal.unique('namespace');
  await registerNamespace(connection, namespace);
});
afterAll(() => connection.close());

describe('a namespace is brought to what the workflows expect', () => {
  it('raises a retention of one day to 30, once', async () => {
    expect(await ensureRetention(connection, namespace)).toBe('raised');
    expect(await ensureRetention(connection, namespace)).toBe('kept');
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
  });

  it('registers the search attributes, once', async () => {
    const names = SEARCH_ATTRIBUTES.map(({ name }) => name);
    expect(names).toContain('LaunchState');
    expect(await registerSearchAttributes(connection, namespace)).toEqual(names);
    expect(await registerSearchAttributes(connection, namespace)).toEqual([]);
  });

  it('refuses a namespace in which a name has another type', async () => {
    const other = `${namespace}-other`;
    await registerNamespace(connection, other);
    await connection.operatorService.addSearchAttributes({ namespace: other, searchAttributes: { Mint: 3 } });
    await expect(registerSearchAttributes(connection, other)).rejects.toThrow(/Mint of namespace .* has type 3/);
  });
});
