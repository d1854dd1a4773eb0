import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { openPlatformSigners } from '../../chain/signers/platform-signers.ts';
import { readWorkerConfig } from '../../config/worker.ts';
import { activitiesOf, metersOf } from '../../worker/composition.ts';
import { createShared, type Shared } from '../../worker/shared.ts';
import { createTestTemporal } from '../setup/temporal.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { createSecrets } from '../support/platform/secrets.ts';
import { recordedHistories } from '../support/replay-histories.ts';
import { WORKER_VARIABLES } from '../support/variables.ts';

const { db } = useDatabase();
let temporal: NativeConnection;
let shared: Shared;

beforeAll(async () => {
  temporal = await NativeConnection.connect({ address: (await createTestTemporal()).address });
  const keys = { TREASURY_SIGNER: 'env', PLATFORM_SIGNER: 'env', REWARDS_SIGNER: 'env', ...createSecrets() };
  const exchange = { EXCHANGE: 'local', LOOKUP_TABLE: '' };
  const config = readWorkerConfig({ ...WORKER_VARIABLES, ...keys, ...exchange, ENVIRONMENT: 'test' });
  const connections = {
    db: db(),
    rpc: createRpc({ endpoints: ['http://127.0.0.1:9'] }),
    temporal,
    signers: await openPlatformSigners(config.signers),
    genesisHash: 'genesis',
    close: () => Promise.resolve(),
  };
  shared = createShared(config, connections, pino({ level: 'silent' }));
});
afterAll(async () => {
  shared.relay.close();
  await temporal.close();
});

/** Names of the activities that a recorded run asked for. */
function askedFor(history: unknown): string[] {
  return [...JSON.stringify(history).matchAll(/"activityType":\{"name":"([^"]+)"/g)].map(([, name]) => name!);
}

it('the worker has every activity that a recorded run of a workflow asked for', () => {
  const names = new Set(recordedHistories().flatMap(({ read }) => askedFor(read())));
  expect(names.size).toBeGreaterThan(30);
  expect(Object.keys(activitiesOf(shared))).toEqual(expect.arrayContaining([...names]));
});

it('two rows with an activity of one name are refused', () => {
  const row = (answer: number) => ({ activities: () => ({ count: () => Promise.resolve(answer) }) });
  expect(() => activitiesOf(shared, [row(1), row(2)])).toThrow('two rows have an activity of the name count');
});

it('the meters of all processes fit on one page and can be read', async () => {
  const registry = new Registry();
  for (const meter of metersOf(shared)) registry.registerMetric(meter);
  const page = await registry.metrics();
  for (const name of ['launches', 'airdrops_open', 'open_fee_sweeps', 'open_buybacks', 'reward_rounds_open']) {
    expect(page).toMatch(new RegExp(`^slipway_${name}(\\{.*\\})? 0$`, 'm'));
  }
});
