import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRateStore } from '../../api/plugins/shared-rate-store.ts';
import { connect, type Db } from '../../db/connect.ts';
import { countRequest, discardEndedCounters } from '../../db/rate-counters.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { eventually } from '../support/platform/eventually.ts';
import { createTestDatabase } from '../setup/database.ts';
import { LOCAL_VARIABLES, testConfig } from '../support/api/api-config.ts';
import { quotaOf } from '../support/api/quota-of.ts';
import { testApp } from '../support/api/test-app.ts';

const MAIN = join(import.meta.dirname, '../../dev/local/api-main.ts');

let [localnet, db, databaseUrl]: [Localnet | undefined, Db | undefined, string] = [undefined, undefined, ''];
const children: ChildProcess[] = [];

beforeAll(async () => {
  localnet = await startLocalnet({});
  databaseUrl = (await createTestDatabase()).url;
  db = connect(databaseUrl);
});

afterAll(async () => {
  for (const child of children) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await db?.destroy();
  await localnet?.close();
});

/** Starts an API process and answers its origin once it listens. */
async function startApiProcess(): Promise<string> {
  const port = await freePort();
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    ...LOCAL_VARIABLES,
    DATABASE_URL: databaseUrl,
    SOLANA_RPC_URL: localnet!.rpcUrl,
    PORT: String(port),
    RATE_LIMIT_STORE: 'postgres',
    RATE_LIMIT_API: '10',
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  children.push(child);
  const origin = `http://127.0.0.1:${port}`;
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`an API process ended with status ${child.exitCode}`);
    return fetch(`${origin}/healthz`).then(
      ({ ok }) => ok || null,
      () => null,
    );
  };
  await eventually(isUp, 'the start of an API process');
  return origin;
}

const passedOf = (answers: readonly Response[]) => answers.filter(({ status }) => status !== 429).length;

test('two API processes that share a database give a client one limit', async () => {
  const origins = await Promise.all([startApiProcess(), startApiProcess()]);
  const ask = (index: number) => fetch(`${origins[index % 2]!}/api/public/v1/nothing`);
  // One after the other: where the database takes longer than a second to count, requests pass uncounted on purpose.
  const answers: Response[] = [];
  for (let index = 0; index < 30; index++) answers.push(await ask(index));
  expect(passedOf(answers)).toBe(10);
  const [one, other] = [await ask(0), await ask(1)].map(({ headers }) =>
    quotaOf({ headers: Object.fromEntries(headers) }),
  );
  expect([one!.remaining, other!.remaining]).toEqual([0, 0]);
  expect(Math.abs(one!.reset - other!.reset)).toBeLessThanOrEqual(1);
});

test('of what four processes count at once, each request is counted once', async () => {
  const processes = Array.from({ length: 4 }, () => connect(databaseUrl, { maxConnections: 5 }));
  const requests = Array.from({ length: 200 }, (_, index) => index);
  const counted = await Promise.all(requests.map((index) => countRequest(processes[index % 4]!, 'four', 60_000)));
  expect(counted.map(({ current }) => current).sort((a, b) => a - b)).toEqual(requests.map((index) => index + 1));
  await Promise.all(processes.map((one) => one.destroy()));
});

test('a window that is over begins anew, and is forgotten when nobody comes back', async () => {
  expect((await countRequest(db!, 'a', 60_000)).current).toBe(1);
  expect((await countRequest(db!, 'a', 60_000)).current).toBe(2);
  await countRequest(db!, 'b', 0);
  expect(await countRequest(db!, 'b', 60_000)).toMatchObject({ current: 1 });
  await countRequest(db!, 'c', 0);
  expect(await discardEndedCounters(db!)).toBe(1);
  expect((await countRequest(db!, 'a', 60_000)).current).toBe(3);
});

test('while the shared counters are away requests pass, soon and uncounted', async () => {
  const config = testConfig({
    RATE_LIMIT_STORE: 'postgres',
    RATE_LIMIT_API: '1',
    DATABASE_URL: 'postgres://a:b@127.0.0.1:1/none',
  });
  const rateStore = openRateStore(config, pino({ level: 'silent' }));
  const app = await testApp({ config, rateStore: rateStore ?? undefined });
  const answers = [await app.inject('/nothing'), await app.inject('/nothing'), await app.inject('/nothing')];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  await app.close();
  await rateStore?.close();
});
