import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepNamespacePrepared } from '../../worker/namespace-keeper.ts';
import { prepareNamespace } from '../../worker/prepare-namespace.ts';
import { SCHEDULES } from '../../worker/schedules.ts';
import { eventually } from '../support/platform/eventually.ts';
import { createTestTemporal } from '../setup/temporal.ts';
import { registerNamespace } from '../support/worker/namespaces.ts';

const logger = pino({ level: 'silent' });
const stop = new AbortController();
let connection: NativeConnection;
let namespace: string;
let client: Client;
beforeAll(async () => {
  const temporal = await createTestTemporal();
  namespace = temporal.unique('kept');
  connection = await NativeConnection.connect({ address: temporal.address });
  await registerNamespace(connection, namespace);
  client = new Client({ connection, namespace });
  await prepareNamespace(connection, namespace, { logger, signal: stop.signal, timeoutMs: 20_000 });
});
afterAll(() => connection.close());

const describeSchedule = (id: string) => client.schedule.getHandle(id).describe();

describe('a namespace that is looked after', () => {
  it('gets its schedules back when they are lost, and keeps what an operator paused', async () => {
    const [lost, paused] = SCHEDULES;
    if (!lost || !paused) throw new Error('there are too few schedules');
    await client.schedule.getHandle(paused.id).pause('by a test');
    const keeping = keepNamespacePrepared({ connection, namespace, logger, lookEveryMs: 50 }, stop.signal);
    await client.schedule.getHandle(lost.id).delete();
    const { spec } = await eventually(() => describeSchedule(lost.id).catch(() => null));
    expect(spec.intervals).not.toEqual([]);
    expect((await describeSchedule(paused.id)).state).toMatchObject({ paused: true, note: 'by a test' });
    stop.abort();
    await keeping;
  });
});
