import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HealthServer, startHealthServer } from '../../observe/health-server.ts';
import { readinessOf, type ReadyCheck } from '../../observe/readiness.ts';

let server: HealthServer;
let checks: Record<string, ReadyCheck>;
let metrics: () => Promise<string>;

beforeAll(async () => {
  server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    instanceId: 'start-1',
    readiness: () => readinessOf(checks),
    metrics: () => metrics(),
    logger: pino({ level: 'silent' }),
  });
});
afterAll(() => server.close());
beforeEach(() => {
  checks = {};
  metrics = async () => 'figure 1\n';
});

it.each(['/healthz', '/readyz', '/metrics'])('tells on %s which start of the process it is', async (path) => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  expect(response.headers.get('x-instance-id')).toBe('start-1');
});

async function get(path: string) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return { status: response.status, body: await response.text() };
}

describe('the health server', () => {
  it('says that the process lives', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, body: '{"alive":true}' });
  });

  it('is ready when every check passes', async () => {
    checks = { postgres: async () => undefined, rpc: async () => undefined };
    expect(await get('/readyz')).toEqual({
      status: 200,
      body: '{"ready":true,"checks":{"postgres":"ok","rpc":"ok"},"needs":[]}',
    });
  });

  it('is not ready when one fails, and names it with its reason', async () => {
    checks = { postgres: async () => undefined, rpc: () => Promise.reject(new Error('connection refused')) };
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: '{"ready":false,"checks":{"postgres":"ok","rpc":"connection refused"},"needs":[]}',
    });
  });

  it('is not ready when a check hangs', async () => {
    checks = { temporal: () => new Promise(() => undefined) };
    const { status, body } = await get('/readyz');
    expect(status).toBe(503);
    expect(body).toContain('no answer within 2000 ms');
  });

  it('gives the metrics, and 500 without their reason when they fail', async () => {
    expect(await get('/metrics?x=1')).toEqual({ status: 200, body: 'figure 1\n' });
    metrics = () => Promise.reject(new Error('password in here'));
    expect(await get('/metrics')).toEqual({ status: 500, body: 'internal error; see the log' });
  });

  it('has no other path', async () => {
    expect((await get('/')).status).toBe(404);
  });
});
