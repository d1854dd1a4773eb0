import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { NativeConnection } from '@temporalio/worker';
import bs58 from 'bs58';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../dev/stack/ports.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { createLocalChain } from '../../dev/seed/local-chain.ts';
import { writeLanes } from '../../dev/seed/write-lanes.ts';
import { connect } from '../../db/connect.ts';
import { claimEnvironment } from '../../db/platform/environment.ts';
import { createTestDatabase } from '../setup/database.ts';
import { createTestTemporal } from '../setup/temporal.ts';
import { TEMPORAL_METRICS } from '../support/deploy/monitoring.ts';
import { eventually } from '../support/platform/eventually.ts';
import { registerNamespace } from '../support/worker/namespaces.ts';

const MAIN = join(import.meta.dirname, '../../dev/local/worker-main.ts');
const secretOf = (key: Keypair) => bs58.encode(key.secretKey);

let localnet: Localnet;
let directory: string;
let databaseUrl: string;
let environment: Record<string, string>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  const temporal = await createTestTemporal();
  localnet = await startLocalnet({});
  databaseUrl = (await createTestDatabase()).url;
  directory = await mkdtemp(join(tmpdir(), 'slipway-worker-'));
  // A namespace of its own: the queues have fixed names, and other tests' launches must not come here.
  const namespace = temporal.unique('worker');
  const connection = await NativeConnection.connect({ address: temporal.address });
  await registerNamespace(connection, namespace);
  await connection.close();
  const keys = { treasury: Keypair.generate(), platform: Keypair.generate(), rewards: Keypair.generate() };
  environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    ENVIRONMENT: 'test',
    SITE_URL: 'http://127.0.0.1:8080',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: namespace,
    SOLANA_RPC_URL: localnet.rpcUrl,
    BLOCK_ENGINE_URL: 'http://127.0.0.1:9',
    STAND_IN_SEED: randomBytes(32).toString('base64'),
    STORE_DIR: directory,
    LAUNCH_SEEDS: `test-1:${randomBytes(32).toString('base64')}`,
    TREASURY_SECRET_KEY: secretOf(keys.treasury),
    PLATFORM_SECRET_KEY: secretOf(keys.platform),
    REWARDS_SECRET_KEY: secretOf(keys.rewards),
  };
  await makeLanes(keys);
});

afterAll(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await localnet.close();
  await rm(directory, { recursive: true });
});

/** The lanes that money moves in: without them no worker starts. */
async function makeLanes({ treasury, platform, rewards }: Record<'treasury' | 'platform' | 'rewards', Keypair>) {
  const wallets = { treasury: treasury.publicKey, platform: platform.publicKey, rewards: rewards.publicKey };
  const db = connect(databaseUrl);
  await writeLanes(createLocalChain(localnet.rpcUrl), db, wallets, { environment: 'test', seedId: 'test-1' });
  await db.destroy();
}

/** A worker process, what it logged so far, and its end. */
async function startWorker(changes: Record<string, string> = {}) {
  const port = await freePort();
  const env = { ...environment, WORKER_PORT: String(port), ...changes };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const worker = { child, url: `http://127.0.0.1:${port}`, log: '', ended: once(child, 'exit') };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (worker.log += text));
  }
  return worker;
}

type StartedWorker = Awaited<ReturnType<typeof startWorker>>;

async function readiness({ url }: StartedWorker): Promise<{ status: number; body: string }> {
  try {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, body: await response.text() };
  } catch {
    return { status: 0, body: 'not listening' };
  }
}

function untilReady(worker: StartedWorker): Promise<string> {
  return eventually(async () => {
    const { status, body } = await readiness(worker);
    if (worker.child.exitCode !== null) throw new Error(`the worker ended:\n${worker.log}`);
    return status === 200 ? body : null;
  }, 'a worker that is ready');
}

function untilMetric(worker: StartedWorker, line: RegExp): Promise<string> {
  return eventually(async () => {
    const text = await (await fetch(`${worker.url}/metrics`)).text();
    return line.test(text) ? text : null;
  }, `a metric like ${line.source}`);
}

describe('the worker process', () => {
  it('becomes ready, fills the pool of addresses, shows metrics, and ends on SIGTERM with status 0', async () => {
    const worker = await startWorker();
    expect(JSON.parse(await untilReady(worker))).toEqual({
      ready: true,
      checks: {
        postgres: 'ok',
        temporal: 'ok',
        rpc: 'ok',
        'poller:landings': 'ok',
        'poller:launches': 'ok',
        'poller:rounds': 'ok',
        'poller:watch': 'ok',
        'poller:webhooks': 'ok',
      },
      needs: [],
    });
    const metrics = await untilMetric(worker, /^slipway_free_launch_addresses 200$/m);
    expect(metrics).toMatch(/^slipway_launches\{state="needs_recovery"\} 0$/m);
    expect(metrics).toMatch(/^slipway_open_fee_sweeps\{state="failing"\} 0$/m);
    expect(metrics).toMatch(/^slipway_open_buybacks\{state="failing"\} 0$/m);
    expect(metrics).toMatch(/^slipway_temporal_metrics_up 1$/m);
    for (const name of TEMPORAL_METRICS) expect(metrics).toMatch(new RegExp(`^${name}\\{`, 'm'));
    expect(metrics).toMatch(/^slipway_worker_rpc_call_duration_seconds_count\{method="getGenesisHash"/m);
    expect(metrics).toMatch(/^slipway_wallet_lamports\{wallet="platform"\} 0$/m);
    expect(metrics).toMatch(/^process_cpu_seconds_total/m);

    worker.child.kill('SIGTERM');
    expect(await worker.ended).toEqual([0, null]);
    expect(worker.log).toContain('"msg":"stopped"');
    expect(worker.log).not.toMatch(new RegExp(environment['TREASURY_SECRET_KEY'] ?? '-'));
  });

  it('ends with a clear message when the database belongs to another chain', async () => {
    const { url } = await createTestDatabase();
    const db = connect(url);
    await claimEnvironment(db, { environment: 'test', genesisHash: 'another' });
    await db.destroy();
    const worker = await startWorker({ DATABASE_URL: url });
    expect(await worker.ended).toEqual([1, null]);
    expect(worker.log).toContain('genesis hash another');
  });

  it('names a setting that is missing or wrong in two lines, without a stack', async () => {
    const worker = await startWorker({ SITE_URL: 'nowhere' });
    expect(await worker.ended).toEqual([1, null]);
    expect(worker.log.trim().split('\n')).toEqual([
      'worker: the configuration is not usable:',
      expect.stringMatching(/^ {2}SITE_URL .*nowhere/),
    ]);
  });

  it('ends with a clear message when the database lacks migrations', async () => {
    const { url } = await createTestDatabase({ migrated: false });
    const worker = await startWorker({ DATABASE_URL: url });
    expect(await worker.ended).toEqual([1, null]);
    expect(worker.log).toContain('the database lacks migrations 0001-baseline');
  });

  it('ends with a clear message when the database lacks a column', async () => {
    const { url } = await createTestDatabase();
    const db = connect(url);
    await sql`alter table sealed_logs drop column written_at`.execute(db);
    await db.destroy();
    const worker = await startWorker({ DATABASE_URL: url });
    expect(await worker.ended).toEqual([1, null]);
    expect(worker.log).toContain('column sealed_logs.written_at is missing');
  });

  it('is not ready while Temporal is away, says what it waits for, and still ends when it is told to', async () => {
    const worker = await startWorker({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
    const isTold = () => Promise.resolve(worker.log.includes('Temporal at 127.0.0.1:9 is not reachable yet') || null);
    await eventually(isTold, 'the word that Temporal is not reachable');
    const { status, body } = await readiness(worker);
    expect([status, JSON.parse(body)]).toEqual([
      503,
      {
        ready: false,
        checks: { worker: expect.stringContaining('starting, waits for Temporal at 127.0.0.1:9') as unknown },
        needs: [],
      },
    ]);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toEqual([0, null]);
  });
});
