import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { postgresProbe, rpcProbe } from '../../api/health/probes.ts';
import type { ReadinessProbe } from '../../api/health/readiness.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { connect } from '../../db/connect.ts';
import { createTestDatabase } from '../setup/database.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { testConfig } from '../support/api/api-config.ts';
import { testApp } from '../support/api/test-app.ts';

const up: ReadinessProbe = { name: 'up', check: async () => {} };
const refusing: ReadinessProbe = { name: 'refusing', check: () => Promise.reject(new Error('password at 10.0.0.7')) };
const silent: ReadinessProbe = { name: 'silent', check: () => new Promise(() => {}) };

let app: ApiInstance | undefined;
afterEach(async () => {
  await app?.close();
});

test('readyz is 200 when every dependency answers', async () => {
  app = await testApp({ probes: [up] });
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ data: { status: 'ready', checks: { up: { status: 'up' } } } });
});

test('readyz is 503 and names what is down, and waits for none that is silent, without telling why in detail', async () => {
  app = await testApp({ probes: [up, refusing, silent] });
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(errorOf(answer)).toMatchObject({ code: 'service_unavailable', message: 'not ready: refusing, silent' });
  expect(answer.json()).toMatchObject({
    checks: { up: { status: 'up' }, silent: { reason: 'no answer within 2000 ms' } },
  });
  expect(answer.body).not.toContain('10.0.0.7');
});

test('healthz stays 200 while dependencies are down', async () => {
  app = await testApp({ probes: [refusing] });
  expect((await app.inject('/healthz')).json()).toMatchObject({ data: { status: 'up' } });
});

test.each(['/healthz', '/readyz'])(
  '%s tells which start of the process it is, where INSTANCE_ID says so',
  async (path) => {
    app = await testApp({ probes: [up] });
    expect((await app.inject(path)).headers).not.toHaveProperty('x-instance-id');
    await app.close();
    app = await testApp({ probes: [up], config: testConfig({ INSTANCE_ID: 'start-1' }) });
    expect((await app.inject(path)).headers).toHaveProperty('x-instance-id', 'start-1');
  },
);

test('requests at the same time share one round of probes', async () => {
  let rounds = 0;
  app = await testApp({ probes: [{ name: 'counted', check: async () => (rounds += 1) }] });
  const running = app;
  await Promise.all(Array.from({ length: 20 }, () => running.inject('/readyz')));
  expect(rounds).toBe(1);
});

test('the PostgreSQL probe tells a running server from an absent one', async () => {
  const signal = AbortSignal.timeout(5_000);
  const running = connect((await createTestDatabase()).url);
  await expect(postgresProbe(running).check(signal)).resolves.toBeUndefined();
  const absent = connect('postgres://a:b@127.0.0.1:1/none');
  await expect(postgresProbe(absent).check(signal)).rejects.toThrow('ECONNREFUSED');
  await Promise.all([running.destroy(), absent.destroy()]);
});

test('the RPC probe needs one endpoint that calls itself healthy', async () => {
  const answers = { healthy: { result: 'ok' }, behind: { error: { code: -32005, message: 'Node is behind' } } };
  const server = createServer((request, response) => {
    response.end(JSON.stringify(request.url === '/healthy' ? answers.healthy : answers.behind));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signal = AbortSignal.timeout(5_000);
  await expect(rpcProbe([`${url}/behind`, `${url}/healthy`]).check(signal)).resolves.toBeUndefined();
  await expect(rpcProbe([`${url}/behind`, 'http://127.0.0.1:1']).check(signal)).rejects.toThrow();
  server.close();
});
