import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { pino } from 'pino';
import { connect, type Db } from '../../db/connect.ts';
import { startHealthServer } from '../../observe/health-server.ts';
import { createProbe } from '../../worker/probe.ts';
import { metersOf } from '../../worker/composition.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { unconnectedWorker } from '../support/worker/unconnected.ts';

const { url } = useDatabase();

function open(databaseUrl: string, maxConnections: number): Db {
  const db = connect(databaseUrl, { maxConnections, onIdleError: () => undefined });
  onTestFinished(() => db.destroy());
  return db;
}

/** Takes a pool's only connection, until the test has ended. */
async function takeAll(db: Db): Promise<void> {
  const [taken, given] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = db.connection().execute(async (connection) => {
    await sql`select 1`.execute(connection);
    taken.resolve();
    await given.promise;
  });
  onTestFinished(async () => {
    given.resolve();
    await held;
  });
  await taken.promise;
}

/** Health and metrics of a worker on these pools, and how long each took, in ms. */
async function asked(db: Db, metricsDb: Db) {
  const worker = await unconnectedWorker(db);
  const { shared } = worker;
  const probe = createProbe(new AbortController().signal);
  // The checks of Temporal are not asked for: whatever they say is in time.
  const { rpc, signers } = shared;
  const temporal = shared.client.connection as never;
  const close = () => Promise.resolve();
  probe.running({
    connections: { db, metricsDb, rpc, signers, temporal, genesisHash: '', close },
    workers: [],
    namespace: shared.client.options.namespace,
    meters: metersOf({ ...shared, db: metricsDb }),
    metricsAddress: '127.0.0.1:9',
  });
  const server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    instanceId: null,
    logger: pino({ level: 'silent' }),
    ...probe,
  });
  try {
    return await Promise.all(
      ['healthz', 'readyz', 'metrics'].map((path) => timed(`http://127.0.0.1:${server.port}/${path}`)),
    );
  } finally {
    await server.close();
    await worker.close();
  }
}

async function timed(address: string) {
  const began = performance.now();
  const answer = await fetch(address);
  return { status: answer.status, text: await answer.text(), ms: performance.now() - began };
}

/** Prometheus gives up after ten seconds; Kubernetes' probe of health after as long as it is told. */
const BOUND_MS = 8_000;

it('a worker whose pool is full says so, and shows all its figures', async () => {
  const db = open(url(), 1);
  await takeAll(db);
  const [health, ready, metrics] = await asked(db, open(url(), 2));
  expect(health).toMatchObject({ status: 200 });
  expect(ready?.status).toBe(503);
  expect(ready?.text).toContain('"postgres":"no answer within 2000 ms"');
  expect(metrics?.status).toBe(200);
  expect(metrics?.text).toMatch(/^slipway_launches\{state="completed"\} 0$/m);
  expect(metrics?.text).toMatch(/^slipway_database_writable 1$/m);
  for (const { ms } of [health, ready, metrics] as { ms: number }[]) expect(ms).toBeLessThan(BOUND_MS);
});

/** Takes connections, and never says a word: a bouncer without a free connection. */
async function silentServer(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `postgres://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
}

it('a worker whose database hangs answers in time, without the figures of the database', async () => {
  const silent = await silentServer();
  const [health, ready, metrics] = await asked(open(silent, 1), open(silent, 2));
  expect([health?.status, ready?.status, metrics?.status]).toEqual([200, 503, 200]);
  expect(metrics?.text).toMatch(/^slipway_database_writable 0$/m);
  expect(metrics?.text).not.toMatch(/^slipway_launches\{/m);
  expect(metrics?.text).toMatch(/^process_cpu_seconds_total/m);
  for (const { ms } of [health, ready, metrics] as { ms: number }[]) expect(ms).toBeLessThan(BOUND_MS);
});
