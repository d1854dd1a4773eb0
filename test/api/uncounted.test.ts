import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../api/app.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { testConfig } from '../support/api/api-config.ts';
import { testDeps } from '../support/api/test-app.ts';

const INDEX = '<meta name="application-name" content="Ship" /><!--head--><!--/head-->';

/** Every connection to a dependency: nothing is ever answered, so that each question needs one. */
let asked = 0;
const dependency = createServer((socket) => {
  asked += 1;
  socket.destroy();
});
let probed = 0;
let directory: string;
let app: ApiInstance;
const routes: RouteOptions[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => dependency.listen(0, '127.0.0.1', resolve));
  const address = dependency.address();
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  directory = await mkdtemp(join(tmpdir(), 'uncounted-'));
  await writeFile(join(directory, 'index.html'), INDEX);
  const config = testConfig({
    DATABASE_URL: `postgres://tester:tester@${host}/nothing`,
    SOLANA_RPC_URL: `http://${host}`,
    TEMPORAL_ADDRESS: host,
    WEB_DIR: directory,
    STORE_DIR: directory,
    RATE_LIMIT_API: '1000000',
  });
  const probe = { name: 'postgres', check: async () => void (probed += 1) };
  app = await buildApp(testDeps({ config, probes: [probe] }), (watched) => {
    watched.addHook('onRoute', (route) => void routes.push(route));
  });
});
afterAll(async () => {
  await app.close();
  dependency.close();
  await rm(directory, { recursive: true });
});

/** Paths of a route that nobody asked for before: an address, and texts that are none. */
function newPaths(url: string): string[] {
  if (!url.includes(':')) return [url];
  const values = [Keypair.generate().publicKey.toBase58(), `x${Math.random()}`, '1'.repeat(44), 'a'.repeat(64)];
  return values.map((value) => url.replaceAll(/:\w+/g, value));
}

const readsOf = (isCounted: boolean) =>
  routes.filter(({ method, config }) => method === 'GET' && (config?.rateGroup !== 'none') === isCounted);

test('what counts on no counter asks no dependency, whatever path it is asked for', async () => {
  const paths = readsOf(false).flatMap(({ url }) => newPaths(url));
  expect(paths.length).toBeGreaterThan(15);
  for (const url of paths) {
    asked = 0;
    await app.inject({ url });
    expect([url, asked]).toEqual([url, 0]);
  }
});

test('a preflight is answered without a question to any dependency', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  asked = 0;
  for (const { url } of routes.filter(({ method }) => method === 'POST')) {
    const [path = url] = newPaths(url);
    const answer = await app.inject({ method: 'OPTIONS', url: path, headers });
    expect([url, answer.statusCode, asked]).toEqual([url, 204, 0]);
  }
});

test('of what is counted, reads of tokens do ask: the test would see it', async () => {
  asked = 0;
  await app.inject({ url: `/tokens/${Keypair.generate().publicKey.toBase58()}` });
  expect(asked).toBeGreaterThan(0);
});

test('a page of what is no address of 32 bytes asks nothing, and one of an address is counted', async () => {
  asked = 0;
  for (const mint of ['x', '1'.repeat(44), 'z'.repeat(44), 'a'.repeat(199)]) {
    expect((await app.inject({ url: `/tokens/${mint}` })).statusCode).toBe(404);
  }
  expect(asked).toBe(0);
  const token = routes.find(({ url, method }) => url === '/tokens/:mint' && method === 'GET');
  expect(token?.config?.rateGroup).toBeUndefined();
});

test('the probes of /readyz are shared by all who ask within a second', async () => {
  probed = 0;
  await Promise.all(Array.from({ length: 50 }, () => app.inject('/readyz')));
  expect(probed).toBeLessThanOrEqual(2);
});
