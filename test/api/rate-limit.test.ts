import { expect, test, vi } from 'vitest';
import type { ApiInstance } from '../../api/instance.ts';
import type { RateGroup } from '../../api/plugins/rate-limit.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { testConfig } from '../support/api/api-config.ts';
import { quotaOf } from '../support/api/quota-of.ts';
import { testApp } from '../support/api/test-app.ts';

const LIMITS = {
  RATE_LIMIT_API: '6',
  RATE_LIMIT_LAUNCH_PREPARE: '3',
  RATE_LIMIT_CLAIM_PREPARE: '2',
  RATE_LIMIT_ASSET_INDEX: '4',
};

async function limitedApp(variables: Record<string, string> = LIMITS): Promise<ApiInstance> {
  const app = await testApp({ config: testConfig(variables) });
  const groups: RateGroup[] = ['api', 'launchPrepare', 'claimPrepare', 'assetIndex', 'none'];
  for (const rateGroup of groups)
    app.get(`/${rateGroup}`, { config: { rateGroup } }, async () => ({ data: {}, meta: {} }));
  app.get('/other', async () => ({ data: {}, meta: {} }));
  return app;
}

/** How many of `count` requests are let through. */
async function passed(app: ApiInstance, url: string, count: number, remoteAddress = '203.0.113.1'): Promise<number> {
  const codes: number[] = [];
  for (let index = 0; index < count; index += 1) codes.push((await app.inject({ url, remoteAddress })).statusCode);
  return codes.filter((code) => code !== 429).length;
}

test('without configuration the limits are the published 300, 25 and 20 a minute', async () => {
  const app = await limitedApp({});
  const limitOf = async (url: string) => quotaOf(await app.inject(url)).limit;
  expect(await Promise.all(['/api', '/launchPrepare', '/claimPrepare', '/assetIndex'].map(limitOf))).toEqual([
    300, 25, 20, 300,
  ]);
  expect(await passed(app, '/launchPrepare', 30)).toBe(25);
  await app.close();
});

test('each group has a counter of its own, and all endpoints without one share a counter', async () => {
  const app = await limitedApp();
  expect(await passed(app, '/launchPrepare', 5)).toBe(3);
  expect(await passed(app, '/claimPrepare', 5)).toBe(2);
  expect(await passed(app, '/assetIndex', 5)).toBe(4);
  expect(await passed(app, '/api', 4)).toBe(4);
  expect(await passed(app, '/other', 4)).toBe(2);
  await app.close();
});

test('all subnets of an IPv6 /48 together may ask four times as much as one of them', async () => {
  const app = await limitedApp();
  let through = 0;
  for (let subnet = 0; subnet < 6; subnet += 1)
    through += await passed(app, '/launchPrepare', 3, `2001:db8:7:${subnet}::1`);
  expect(through).toBe(4 * 3);
  expect(await passed(app, '/launchPrepare', 3, '2001:db8:8::1')).toBe(3);
  expect(await passed(app, '/launchPrepare', 3, '198.51.100.1')).toBe(3);
  await app.close();
});

test('beyond the limit the answer is 429 rate_limited with Retry-After in header and body', async () => {
  const app = await limitedApp();
  await passed(app, '/claimPrepare', 2);
  const answer = await app.inject({ url: '/claimPrepare', remoteAddress: '203.0.113.1' });
  expect(answer.statusCode).toBe(429);
  const { code, retryable, retryAfterSeconds } = errorOf(answer);
  expect([code, retryable]).toEqual(['rate_limited', true]);
  expect(retryAfterSeconds).toBeGreaterThan(0);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  expect(answer.headers['retry-after']).toBe(String(retryAfterSeconds));
  await app.close();
});

test('every answer says where its client stands: successes, refusals, unknown paths and what fails before routing', async () => {
  const app = await limitedApp({ RATE_LIMIT_API: '9' });
  const ask = (url: string, method: 'GET' | 'HEAD' | 'DELETE' | 'OPTIONS' = 'GET') =>
    app.inject({ url, method, remoteAddress: '203.0.113.1' });
  const nowSeconds = Date.now() / 1_000;
  const answers = [
    await ask('/api'),
    await ask('/api', 'HEAD'),
    await ask('/nothing'),
    await ask('/api', 'DELETE'),
    await ask('/api', 'OPTIONS'),
    await ask('/api/public/v1/tokens/%zz'),
    await ask(`/api/public/v1/tokens/${'a'.repeat(300)}`),
    await ask('/api/public/v1/tokens?mode=none'),
    await ask('/api/public/v1/tokens'),
    await ask('/api'),
    await ask('/%'),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 404, 405, 204, 400, 400, 400, 503, 429, 429]);
  for (const [index, answer] of answers.entries()) {
    const { limit, remaining, reset } = quotaOf(answer);
    expect([limit, remaining]).toEqual([9, Math.max(0, 8 - index)]);
    expect(reset).toBeGreaterThan(nowSeconds);
    expect(reset).toBeLessThanOrEqual(nowSeconds + 62);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-expose-headers']).toMatch(/retry-after.*x-ratelimit-limit/);
  }
  expect(answers.at(-1)?.headers['retry-after']).toMatch(/^\d+$/);
  await app.close();
});

test('a preflight is no request of a client: it is granted beyond the limit and takes nothing from it', async () => {
  const app = await limitedApp({ RATE_LIMIT_API: '2' });
  const remoteAddress = '203.0.113.1';
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const preflight = (url: string) => app.inject({ method: 'OPTIONS', url, headers, remoteAddress });
  for (let times = 0; times < 5; times++) {
    const answer = await preflight('/api/public/v1/launches/prepare');
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([204, '*']);
  }
  expect(quotaOf(await app.inject({ url: '/api', remoteAddress })).remaining).toBe(1);
  // A guess of a path and an OPTIONS that is no preflight count.
  expect((await preflight('/api/public/v1/nothing')).statusCode).toBe(404);
  expect((await app.inject({ method: 'OPTIONS', url: '/api', remoteAddress })).statusCode).toBe(429);
  expect((await preflight('/api/public/v1/launches/prepare')).statusCode).toBe(204);
  await app.close();
});

test.each([
  ['0', [5, 4, 3]],
  ['1', [6, 6, 6]],
])('with SHARED_CACHE=%s cacheable answers say that %j requests are left', async (cache, expected) => {
  const app = await limitedApp({ ...LIMITS, SHARED_CACHE: cache });
  app.get('/cacheable', async (_request, reply) => reply.header('cache-control', 'public, max-age=5').send({}));
  const answers = [await app.inject('/cacheable'), await app.inject('/cacheable'), await app.inject('/cacheable')];
  expect(answers.map((answer) => quotaOf(answer).remaining)).toEqual(expected);
  await app.close();
});

test('a pull of events and a stream count on the general limit, and are refused beyond it', async () => {
  const app = await limitedApp({ RATE_LIMIT_API: '4' });
  const answers = [];
  for (const path of [
    'events',
    'events/stream',
    'events?after=oldest',
    'events/stream?after=now',
    'events',
    'events/stream',
  ])
    answers.push(await app.inject({ url: `/api/public/v1/${path}`, remoteAddress: '203.0.113.1' }));
  expect(answers.map((answer) => quotaOf(answer).remaining)).toEqual([3, 2, 1, 0, 0, 0]);
  expect(answers.map(({ statusCode }) => statusCode === 429)).toEqual([false, false, false, false, true, true]);
  await app.close();
});

test('a request is counted before its body is read', async () => {
  const app = await limitedApp({ RATE_LIMIT_LAUNCH_PREPARE: '1' });
  const prepare = () =>
    app.inject({
      method: 'POST',
      url: '/api/public/v1/launches/prepare',
      payload: '{"not json',
      headers: { 'content-type': 'application/json' },
    });
  expect([(await prepare()).statusCode, (await prepare()).statusCode]).toEqual([400, 429]);
  await app.close();
});

test('a counter that does not answer lets requests pass', async () => {
  const rateStore = { count: () => Promise.reject(new Error('away')) };
  const app = await testApp({ config: testConfig({ RATE_LIMIT_API: '1' }), rateStore });
  const answers = [await app.inject('/nothing'), await app.inject('/nothing')];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
  expect(answers.map((answer) => quotaOf(answer).remaining)).toEqual([1, 1]);
  await app.close();
});

test('unknown paths and wrong methods count as requests', async () => {
  const app = await limitedApp();
  expect(await passed(app, '/nothing', 10)).toBe(6);
  expect((await app.inject({ url: '/api', remoteAddress: '203.0.113.1' })).statusCode).toBe(429);
  const statuses: number[] = [];
  for (let index = 0; index < 8; index += 1) {
    const { statusCode } = await app.inject({ url: '/api', method: 'DELETE', remoteAddress: '203.0.113.2' });
    statuses.push(statusCode);
  }
  expect(statuses).toEqual([405, 405, 405, 405, 405, 405, 429, 429]);
  await app.close();
});

test('health checks are not limited', async () => {
  const app = await limitedApp();
  expect(await passed(app, '/healthz', 20)).toBe(20);
  expect(await passed(app, '/readyz', 20)).toBe(20);
  await app.close();
});

test('clients are told apart by address, IPv6 clients by their /64', async () => {
  const app = await limitedApp();
  expect(await passed(app, '/claimPrepare', 4, '203.0.113.1')).toBe(2);
  expect(await passed(app, '/claimPrepare', 4, '203.0.113.2')).toBe(2);
  expect(await passed(app, '/claimPrepare', 4, '2001:db8:1:1::1')).toBe(2);
  expect(await passed(app, '/claimPrepare', 4, '2001:db8:1:1:ffff::2')).toBe(0);
  expect(await passed(app, '/claimPrepare', 4, '2001:db8:1:2::1')).toBe(2);
  await app.close();
});

test('an X-Forwarded-For header from an untrusted address does not make a new client', async () => {
  const app = await limitedApp();
  const codes: number[] = [];
  for (const forwarded of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
    const headers = { 'x-forwarded-for': forwarded };
    codes.push((await app.inject({ url: '/claimPrepare', headers, remoteAddress: '203.0.113.9' })).statusCode);
  }
  expect(codes).toEqual([200, 200, 429]);
  await app.close();
});

test('behind a configured proxy the client is the address the proxy saw, not what the client claims', async () => {
  const app = await limitedApp({ ...LIMITS, TRUST_PROXY: '10.1.2.3' });
  const ask = async (forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded };
    return (await app.inject({ url: '/claimPrepare', headers, remoteAddress: '10.1.2.3' })).statusCode;
  };
  expect([await ask('198.51.100.1'), await ask('198.51.100.1'), await ask('198.51.100.1')]).toEqual([200, 200, 429]);
  expect(await ask('198.51.100.2')).toBe(200);
  expect(await ask('203.0.113.77, 198.51.100.1')).toBe(429);
  await app.close();
});

test.each(['10.1.2.3', '1'])(
  'of proxies %s, what is no address makes no client: its requests count as the socket’s',
  async (trusted) => {
    const app = await limitedApp({ ...LIMITS, TRUST_PROXY: trusted });
    const claims = ['word1', 'word2', '001.002.003.0004', '1.2.3.4:55', ' ', '8.8.8.8, 10.1.2.3x'];
    const codes: number[] = [];
    for (const forwarded of claims) {
      const headers = { 'x-forwarded-for': forwarded };
      codes.push((await app.inject({ url: '/claimPrepare', headers, remoteAddress: '10.1.2.3' })).statusCode);
    }
    expect(codes).toEqual([200, 200, 429, 429, 429, 429]);
    await app.close();
  },
);

test('a number of proxies believes no more of a chain than these have written', async () => {
  const app = await limitedApp({ ...LIMITS, TRUST_PROXY: '1' });
  const codes: number[] = [];
  for (const claimed of ['8.8.8.1', '8.8.8.2', '8.8.8.3']) {
    const headers = { 'x-forwarded-for': `${claimed}, 198.51.100.1` };
    codes.push((await app.inject({ url: '/claimPrepare', headers, remoteAddress: '10.1.2.3' })).statusCode);
  }
  expect(codes).toEqual([200, 200, 429]);
  await app.close();
});

test('of simultaneous requests exactly as many pass as the limit allows', async () => {
  const app = await limitedApp();
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${origin}/assetIndex`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
  await app.close();
});

test('after a minute a client starts anew', async () => {
  const app = await limitedApp();
  vi.useFakeTimers({ toFake: ['Date'] });
  expect(await passed(app, '/claimPrepare', 3)).toBe(2);
  vi.setSystemTime(Date.now() + 60_000);
  expect(await passed(app, '/claimPrepare', 3)).toBe(2);
  vi.useRealTimers();
  await app.close();
});
