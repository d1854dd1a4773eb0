import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivityWorker, createQueueWorker } from '../../worker/task-queues.ts';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { FEE_SWEEP_ROUND } from '../../workflows/fee-sweep/messages.ts';
import { MARKET_INDEX_ID, startMarketIndex } from '../../workflows/market/messages.ts';
import { createTestTemporal } from '../setup/temporal.ts';
import { registerNamespace } from '../support/worker/namespaces.ts';

type Release = 'n' | 'n+1' | 'unnamed';

const DEPLOYMENT = 'slipway';

let connection: NativeConnection;
let client: Client;
let namespace: string;
const workers: { readonly worker: Worker; readonly ended: Promise<void> }[] = [];

/** Which release ran each step of a round, by the order of the steps; and each look of the market's index. */
const steps: string[] = [];
const looks: Release[] = [];
const began = Promise.withResolvers<void>();
const mayGoOn = Promise.withResolvers<void>();

beforeAll(async () => {
  const temporal = await createTestTemporal();
  namespace = temporal.unique('versions');
  connection = await NativeConnection.connect({ address: temporal.address });
  await registerNamespace(connection, namespace);
  client = new Client({ connection, namespace });
});
afterAll(async () => {
  await stopWorkers();
  await connection.close();
});

/** What workers of a release do: a round takes what is open, plans and takes what is due, and the first plan waits. */
function activitiesOf(release: Release) {
  return {
    planFeeSweeps: async () => {
      steps.push(`plan ${release}`);
      began.resolve();
      await mayGoOn.promise;
      return null;
    },
    takeDueFeeSweeps: async () => {
      steps.push(`take ${release}`);
      return [];
    },
    followMarket: async () => {
      looks.push(release);
      await sleep(20);
    },
  };
}

async function startWorker(release: Release): Promise<void> {
  const workflowBundle = await cachedWorkflowBundle(CACHE_DIRECTORY, pino({ level: 'silent' }));
  const deps = {
    connection,
    namespace,
    workflowBundle,
    activities: activitiesOf(release),
    shutdownGraceMs: 10,
    version: release === 'unnamed' ? null : { deploymentName: DEPLOYMENT, buildId: release },
  };
  for (const worker of await Promise.all([createQueueWorker('rounds', deps), createActivityWorker('watch', deps)])) {
    workers.push({ worker, ended: worker.run() });
  }
}

async function startRelease(release: Release): Promise<void> {
  await startWorker(release);
  await untilCurrent(release);
}

/** A release can be made the current one as soon as the server has heard of it. */
async function untilCurrent(buildId: Release): Promise<void> {
  const request = { namespace, deploymentName: DEPLOYMENT, buildId, identity: 'test' };
  for (let tries = 0; ; tries++) {
    try {
      await connection.workflowService.setWorkerDeploymentCurrentVersion(request);
      return;
    } catch (error) {
      if (tries === 300) throw error;
      await sleep(100);
    }
  }
}

async function untilLookBy(release: Release): Promise<void> {
  await expect.poll(() => looks.at(-1)).toBe(release);
}

async function stopWorkers(): Promise<void> {
  const stopping = workers.splice(0);
  for (const { worker } of stopping) worker.shutdown();
  await Promise.all(stopping.map(({ ended }) => ended));
}

describe('releases of the worker', () => {
  it('without names any worker takes the index of the market', async () => {
    await startWorker('unnamed');
    await startMarketIndex(client);
    await untilLookBy('unnamed');
    await client.workflow.getHandle(MARKET_INDEX_ID).terminate();
    await stopWorkers();
  });

  it('a round ends on the release that it began on, the index of the market goes over to the next, and back', async () => {
    await startRelease('n');
    const options = { taskQueue: FEE_SWEEP_ROUND.taskQueue, workflowId: 'sweep-1' };
    const open = await client.workflow.start(FEE_SWEEP_ROUND.workflowType, options);
    await began.promise;
    await startMarketIndex(client);
    await untilLookBy('n');

    await startRelease('n+1');
    await untilLookBy('n+1');
    mayGoOn.resolve();
    expect(await open.result()).toBe(0);
    expect(steps).toEqual(['take n', 'plan n', 'take n']);

    await client.workflow.execute(FEE_SWEEP_ROUND.workflowType, { ...options, workflowId: 'sweep-2' });
    expect(steps.slice(3)).toEqual(['take n+1', 'plan n+1', 'take n+1']);

    await untilCurrent('n');
    await untilLookBy('n');
    await client.workflow.execute(FEE_SWEEP_ROUND.workflowType, { ...options, workflowId: 'sweep-3' });
    expect(steps.slice(6)).toEqual(['take n', 'plan n', 'take n']);
  });
});
