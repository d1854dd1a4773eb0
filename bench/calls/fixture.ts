import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { openPlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { Variables } from '../../config/environment.ts';
import { productVariables, readLocalService } from '../../dev/local/local-service.ts';
import { readWorkerConfig, type WorkerConfig } from '../../config/worker.ts';
import { connectThrough, createPool } from '../../db/connect.ts';
import { activitiesOf } from '../../worker/composition.ts';
import type { Connections } from '../../worker/connections.ts';
import { temporalLogger } from '../../worker/logger.ts';
import type { Activity } from '../../worker/row.ts';
import { createShared, type Shared } from '../../worker/shared.ts';
import {
  createActivityWorker,
  createQueueWorker,
  createQueueWorkers,
  type QueueDeps,
} from '../../worker/task-queues.ts';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { LANDINGS_TASK_QUEUE, LAUNCHES_TASK_QUEUE } from '../../workflows/task-queues.ts';
import type { OwnStack } from '../own-stack.ts';
import { createTally, type Tally } from './tally.ts';

export interface CallsFixture {
  readonly shared: Shared;
  readonly tally: Tally;
  readonly endpoints: number;
}

const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'warn' }, pino.destination(2));

/** Once: the native runtime is per process. */
export function quietRuntime(): void {
  const logging = { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } as const;
  Runtime.install({ logger: temporalLogger(logger), shutdownSignals: [], telemetryOptions: { logging } });
}

/** This process replaces it. Returns its configuration. */
export async function endWorker({ stack }: OwnStack): Promise<Variables> {
  const spec = stack.specOf('worker');
  if (!spec) throw new Error('the stack has no worker');
  await stack.end('worker');
  return spec.env;
}

export interface Counting {
  readonly workers: (deps: QueueDeps) => Promise<readonly Worker[]>;
  readonly isCounted: (activity: string) => boolean;
}

/** Calls of rounds would count too. */
export const LAUNCHES_COUNTED: Counting = {
  workers: (deps) =>
    Promise.all([createQueueWorker(LAUNCHES_TASK_QUEUE, deps), createActivityWorker(LANDINGS_TASK_QUEUE, deps)]),
  isCounted: () => true,
};

export function onlyCounted(activities: readonly string[]): Counting {
  return { workers: createQueueWorkers, isCounted: (activity) => activities.includes(activity) };
}

export async function withCountedWorker<Result>(
  variables: Variables,
  endpoints: number,
  counting: Counting,
  work: (ground: CallsFixture) => Promise<Result>,
): Promise<Result> {
  const rpcUrl = variables['SOLANA_RPC_URL'] ?? '';
  const { exchange } = readLocalService(variables);
  const own = { ...variables, SOLANA_RPC_URL: endpointsOf(rpcUrl, endpoints) };
  const config = readWorkerConfig(productVariables(own));
  const tally = createTally();
  const connections = await openCounted(config, tally);
  const shared = createShared(config, connections, logger, { exchange });
  try {
    await shared.lanes.learn();
    const workers = await counting.workers({
      connection: connections.temporal,
      namespace: config.temporal.namespace,
      workflowBundle: await cachedWorkflowBundle(CACHE_DIRECTORY, logger, 'plain'),
      activities: countedActivities(shared, tally, counting),
      shutdownGraceMs: 1_000,
      version: config.version,
    });
    const working = work({ shared, tally, endpoints });
    await Promise.all(workers.map((worker) => worker.runUntil(working)));
    return await working;
  } finally {
    shared.hints.close();
    shared.relay.close();
    await connections.close();
  }
}

function endpointsOf(rpcUrl: string, endpoints: number): string {
  return Array.from({ length: endpoints }, (_, index) => `${rpcUrl}/rpc/count-${index}`).join(',');
}

async function openCounted(config: WorkerConfig, tally: Tally): Promise<Connections> {
  const pool = createPool(config.database.url, { applicationName: 'slipway-bench', maxConnections: 25 });
  tally.watch(pool);
  const db = connectThrough(pool);
  const rpc = createRpc({ endpoints: config.solana.rpcUrls, fetch: tally.fetch });
  const [signers, temporal, genesisHash] = await Promise.all([
    openPlatformSigners(config.signers),
    NativeConnection.connect(config.temporal.connection),
    rpc.genesisHash(),
  ]);
  const close = async (): Promise<void> => {
    await temporal.close();
    await db.destroy();
  };
  return { db, metricsDb: db, rpc, temporal, signers, genesisHash, close };
}

function countedActivities(shared: Shared, tally: Tally, { isCounted }: Counting): Record<string, Activity> {
  const counted = Object.entries(activitiesOf(shared)).map(([name, activity]) => {
    if (!isCounted(name)) return [name, activity] as const;
    const run: Activity = (...args) => tally.within(name, () => activity(...args));
    return [name, run] as const;
  });
  return Object.fromEntries(counted);
}

/** This process waits, not Temporal. */
export function movingBy({ shared }: CallsFixture): Shared {
  const pause = async (ms: number): Promise<void> => void (await sleep(ms, undefined, { ref: false }));
  return { ...shared, sleep: pause, heartbeat: () => undefined };
}
