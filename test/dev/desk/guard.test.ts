import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deskExtension, isDeskOffered } from '../../../dev/desk/desk.ts';
import { isLoopbackAddress } from '../../../config/loopback.ts';
import type { Variables } from '../../../config/environment.ts';
import { testConfig } from '../../support/api/api-config.ts';
import { quotaOf } from '../../support/api/quota-of.ts';
import { testApp } from '../../support/api/test-app.ts';
import { dataOf, expectRefusal } from '../../support/desk/answers.ts';
import { type DeskUnderTest, startDesk } from '../../support/desk/desk-app.ts';

const ENDPOINTS = ['fund', 'swap', 'block-engine', 'prices', 'expire-blockhashes', 'skip-slot'];
const HeadSchema = Type.Object({ slot: Type.Integer(), blockHeight: Type.Integer() });

let desk: DeskUnderTest;
beforeAll(async () => {
  desk = await startDesk({ RATE_LIMIT_API: '30' });
});
afterAll(() => desk.close());

/** Asks for something harmless with other headers than a program of this machine sends. */
const ask = (headers: Record<string, string> = {}) => desk.post('expire-blockhashes', undefined, headers);

describe('the desk does not exist', () => {
  const absent: [string, Variables][] = [
    ['on a chain of another machine', { SOLANA_RPC_URL: 'https://rpc.example/key' }],
    ['when one of several endpoints is elsewhere', { SOLANA_RPC_URL: 'http://127.0.0.1:1,http://b.example' }],
  ];

  test('in the product, whatever variables say', async () => {
    const app = await testApp({ config: testConfig({ DESK: '1', EXCHANGE: 'local' }) });
    for (const endpoint of ENDPOINTS) {
      const answer = await app.inject({ method: 'POST', url: `/local/${endpoint}`, payload: {} });
      expect([endpoint, answer.statusCode]).toEqual([endpoint, 404]);
    }
    await app.close();
  });

  test.each(absent)('and is not offered %s', (_case, variables) => {
    expect(isDeskOffered(testConfig(variables))).toBe(false);
  });

  test('and is not offered in production, whatever else is set', () => {
    const config = testConfig();
    expect(isDeskOffered(config)).toBe(true);
    expect(isDeskOffered({ ...config, isProduction: true })).toBe(false);
  });
});

describe('the desk serves', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])(
    'a program of this machine that asks for %s',
    async (name) => {
      dataOf(await ask({ host: `${name}:${desk.port}` }), HeadSchema);
    },
  );

  test('a page that this server itself served', async () => {
    dataOf(await ask({ origin: `http://127.0.0.1:${desk.port}` }), HeadSchema);
  });
});

describe('the desk refuses', () => {
  test('a peer that is another machine, also one whose proxy the API trusts', async () => {
    const url = '/local/expire-blockhashes';
    for (const trusted of [{}, { TRUST_PROXY: '203.0.113.7' }]) {
      const app = await testApp({
        config: testConfig(trusted),
        extension: deskExtension({ blockEngineAdminUrl: undefined }),
      });
      const headers = { host: `127.0.0.1:${desk.port}`, 'x-forwarded-for': '127.0.0.1' };
      const answer = await app.inject({ method: 'POST', url, headers, remoteAddress: '203.0.113.7' });
      expectRefusal({ status: answer.statusCode, headers: {}, body: answer.body }, 403, /only this machine/);
      await app.close();
    }
  });

  test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])(
    'a request that came through a proxy on this machine (%s)',
    async (name) => {
      expectRefusal(await ask({ [name]: '127.0.0.1' }), 403, new RegExp(name));
    },
  );

  test.each([
    ['a name that was rebound to this machine', (port: number) => `rebound.example:${port}`],
    ['a name that only begins like this machine’s', (port: number) => `localhost.rebound.example:${port}`],
    ['a name with a user', (port: number) => `127.0.0.1:${port}@rebound.example`],
    ['another port', (port: number) => `127.0.0.1:${port + 1}`],
    ['no port', () => '127.0.0.1'],
    ['another address of this machine', (port: number) => `0.0.0.0:${port}`],
    ['a name and nothing else', () => 'localhost'],
  ])('a Host header with %s', async (_case, hostOf) => {
    expectRefusal(await ask({ host: hostOf(desk.port) }), 403, /Host/);
  });

  test.each([
    ['a foreign site', () => 'https://site.example'],
    ['a page of another port here', (port: number) => `http://127.0.0.1:${port + 1}`],
    ['a page over https', (port: number) => `https://127.0.0.1:${port}`],
    ['a page of no origin', () => 'null'],
  ])('%s', async (_case, originOf) => {
    expectRefusal(await ask({ origin: originOf(desk.port) }), 403, /page of/);
  });

  test('a preflight of a foreign site: no write of the desk is granted to a page', async () => {
    const headers = { origin: 'https://site.example', 'access-control-request-method': 'POST' };
    const answer = await desk.app.inject({ method: 'OPTIONS', url: '/local/fund', headers });
    expect(answer.headers).not.toHaveProperty('access-control-allow-methods');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

test('a refused request has no effect', async () => {
  const before = await desk.connection.getBlockHeight('processed');
  expectRefusal(await ask({ host: 'rebound.example' }), 403, /Host/);
  expect((await desk.connection.getBlockHeight('processed')) - before).toBeLessThan(100);
});

test('the desk is in no document', async () => {
  const { body } = await desk.app.inject('/api/public/v1/openapi.json');
  expect(body).toContain('/launches/prepare');
  expect(body).not.toMatch(/"\/(local|store)/);
});

test('the desk counts on no public counter, and is limited by none', async () => {
  const left = async () => quotaOf(await desk.app.inject('/api/public/v1/nothing')).remaining;
  const before = await left();
  const asked = await Promise.all(Array.from({ length: 40 }, () => desk.post('prices', {})));
  expect(asked.map(({ status }) => status)).toEqual(Array(40).fill(400));
  expect(await left()).toBe(before - 1);
});

test('a wrong method is 405 in the envelope', async () => {
  expect((await desk.app.inject('/local/fund')).statusCode).toBe(405);
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:203.0.113.7', false],
  ['203.0.113.7', false],
  ['0.0.0.0', false],
  ['fe80::1', false],
  ['', false],
])('%s is a loopback address: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});
