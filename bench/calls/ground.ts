import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { openPlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { Variables } from '../../config/environment.ts';
import { readWorkerConfig, type WorkerConfig } from '../../config/worker.ts';
import { connectThrough, createPool } from '../../db/connect.ts';
import { activitiesOf } from '../../worker/composition.ts';
import type { Connections } from '../../worker/connections.ts';
import { temporalLogger } from '../../worker/logger.ts';
import type { Activity } from '../../worker/row.ts';
import { createShared, type Shared } from '../../worker/shared.ts';
import { createQueueWorker, createQueueWorkers, type QueueDeps } from '../../worker/task-queues.ts';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { LAUNCHES_TASK_QUEUE } from '../../workflows/task-queues.ts';
import type { OwnStack } from '../own-stack.ts';
import { createTally, type Tally } from './tally.ts';

/** A stack whose worker is this process, so that all it asks can be counted. */
export interface CallsGround {
  /** What the activities are made of, as in any worker. */
  readonly shared: Shared;
  readonly tally: Tally;
  /** RPC endpoints that are asked; a quorum takes two of them. */
  readonly endpoints: number;
}

const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'warn' }, pino.destination(2));

/** Says so once: the native runtime belongs to the process. */
export function quietRuntime(): void {
  const logging = { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } as const;
  Runtime.install({ logger: temporalLogger(logger), shutdownSignals: [], telemetryOptions: { logging } });
}

/** What the stack's worker was configured with. It is ended, so that this process can take its place. */
export async function endWorker({ stack }: OwnStack): Promise<Variables> {
  const spec = stack.specOf('worker');
  if (!spec) throw new Error('the stack has no worker');
  await stack.end('worker');
  return spec.env;
}

/** What the worker does, and which of its activities are counted. */
export interface Counting {
  readonly workers: (deps: QueueDeps) => Promise<readonly Worker[]>;
  readonly isCounted: (activity: string) => boolean;
}

/** Launches, and nothing else. Rounds are not run: what they ask by themselves would be counted too. */
export const LAUNCHES_COUNTED: Counting = {
  workers: async (deps) => [await createQueueWorker(LAUNCHES_TASK_QUEUE, deps)],
  isCounted: () => true,
};

/** Everything that a worker does, of which only these activities are counted. */
export function onlyCounted(activities: readonly string[]): Counting {
  return { workers: createQueueWorkers, isCounted: (activity) => activities.includes(activity) };
}

/** Does the work beside a worker whose asking is counted. */
export async function withCountedWorker<Result>(
  variables: Variables,
  endpoints: number,
  counting: Counting,
  work: (ground: CallsGround) => Promise<Result>,
): Promise<Result> {
  const rpcUrl = variables['SOLANA_RPC_URL'] ?? '';
  const config = readWorkerConfig({ ...variables, SOLANA_RPC_URL: endpointsOf(rpcUrl, endpoints) });
  const tally = createTally();
  const connections = await openCounted(config, tally);
  const shared = createShared(config, connections, logger);
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

/** The local chain answers under any number of names. */
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
  return { db, ofMetrics: db, rpc, temporal, signers, genesisHash, close };
}

/** Each activity counts as the part of its name. */
function countedActivities(shared: Shared, tally: Tally, { isCounted }: Counting): Record<string, Activity> {
  const counted = Object.entries(activitiesOf(shared)).map(([name, activity]) => {
    if (!isCounted(name)) return [name, activity] as const;
    const run: Activity = (...args) => tally.within(name, () => activity(...args));
    return [name, run] as const;
  });
  return Object.fromEntries(counted);
}

/** The same without Temporal: who waits is this process. */
export function movingBy({ shared }: CallsGround): Shared {
  const pause = async (ms: number): Promise<void> => void (await sleep(ms, undefined, { ref: false }));
  return { ...shared, sleep: pause, heartbeat: () => undefined };
}
