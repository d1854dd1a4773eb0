import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Runtime, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { deriveLaunchAddresses, type LaunchSeed } from '../chain/keys/launch-keys.ts';
import type { WorkerConfig } from '../config/worker.ts';
import * as launchAddresses from '../db/launch/launch-addresses.ts';
import { LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE } from '../workflows/messages/task-queues.ts';
import { createActivities } from './activities.ts';
import { type AddressPoolDeps, keepAddressPoolFilled } from './address-pool.ts';
import { type Connections, openConnections } from './connections.ts';
import { startHealthServer } from './health-server.ts';
import { reportLaunchGround } from './launch-ground.ts';
import { freeLoopbackAddress } from './metrics.ts';
import { keepNamespacePrepared } from './namespace-keeper.ts';
import { prepareNamespace } from './prepare-namespace.ts';
import { keepMarketIndex } from './keep-market-index.ts';
import { createProbe, type RunningParts } from './probe.ts';
import { openLanes } from './open-lanes.ts';
import { runUntilStopped } from './run.ts';
import { schedulesOf } from './schedules.ts';
import { installTemporalRuntime } from './runtime.ts';
import { createQueueWorker } from './task-queues.ts';
import { buildWorkflowBundle, cachedWorkflowBundle } from './workflow-bundle.ts';

/** Bundles of earlier sources, so that a restart while developing does not build one. */
const CACHE_DIRECTORY = join(import.meta.dirname, '..', '.data', 'cache');

/** How long the parts this process needs may stay away at start, in ms. */
const START_TIMEOUT_MS = 120_000;

/**
 * Runs the worker process until `signal` fires: connects, prepares the namespace, polls both task queues, keeps the pool
 * of launch addresses filled, and serves health and metrics from the first moment on. After the signal, running activities
 * may finish within the configured grace time. Throws when a part cannot be reached at start or a poller fails.
 */
export async function runWorker(config: WorkerConfig, logger: Logger, signal: AbortSignal): Promise<void> {
  const metricsAddress = await freeLoopbackAddress();
  const runtime = installTemporalRuntime({ logger, metricsAddress });
  const probe = createProbe(signal);
  const health = await startHealthServer({ host: config.host, port: config.port, logger, ...probe });
  logger.info({ port: health.port }, 'health and metrics are served');
  try {
    await connectAndRun(config, logger, signal, (running) => {
      const { namespace } = config.temporal;
      probe.running({ ...running, namespace, seedId: firstSeed(config).id, metricsAddress });
    });
  } finally {
    await health.close();
    await shutDownRuntime(runtime, logger);
  }
}

async function connectAndRun(
  config: WorkerConfig,
  logger: Logger,
  signal: AbortSignal,
  onRunning: (parts: Pick<RunningParts, 'connections' | 'workers' | 'counted'>) => void,
): Promise<void> {
  const retry = { logger, signal, timeoutMs: START_TIMEOUT_MS };
  const connections = await openConnections(config, retry);
  try {
    const schedules = schedulesOf(config);
    await prepareNamespace(connections.temporal, config.temporal.namespace, retry, schedules);
    await reportLaunchGround(config, connections, retry);
    const { activities, lanes, counted, close } = createActivities(config, connections, logger);
    try {
      await openLanes(lanes, connections, retry);
      const workers = await createWorkers(config, logger, connections, activities);
      const pool = await openAddressPool(config, connections, logger);
      onRunning({ connections, workers, counted });
      const keeper = { connection: connections.temporal, namespace: config.temporal.namespace, schedules, logger };
      const loops = [
        (until: AbortSignal) => keepAddressPoolFilled(pool, until),
        (until: AbortSignal) => keepNamespacePrepared(keeper, until),
        (until: AbortSignal) => keepMarketIndex(config, connections, logger, until),
      ];
      await runUntilStopped({ workers, loops, logger }, signal);
    } finally {
      close();
    }
  } finally {
    await connections.close();
  }
}

async function createWorkers(
  config: WorkerConfig,
  logger: Logger,
  { temporal: connection }: Connections,
  activities: object,
): Promise<Worker[]> {
  const started = performance.now();
  const workflowBundle = config.isProduction
    ? await buildWorkflowBundle(logger)
    : await cachedWorkflowBundle(CACHE_DIRECTORY, logger);
  const { namespace } = config.temporal;
  const deps = { connection, namespace, workflowBundle, activities, shutdownGraceMs: config.shutdownGraceMs };
  const workers = await Promise.all(
    ([LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE] as const).map((queue) => createQueueWorker(queue, deps)),
  );
  logger.info({ ms: Math.round(performance.now() - started) }, 'workers of both task queues are created');
  return workers;
}

/** Addresses of a seed that this worker does not hold are removed first: a launch on them could not be signed. */
async function openAddressPool(
  config: WorkerConfig,
  { db, genesisHash }: Connections,
  logger: Logger,
): Promise<AddressPoolDeps> {
  const seed = firstSeed(config);
  const context = { genesisHash, environment: config.environment };
  const discarded = await launchAddresses.discardFree(
    db,
    config.launchSeeds.map(({ id }) => id),
  );
  if (discarded > 0) logger.warn({ discarded }, 'removed free launch addresses of seeds that LAUNCH_SEEDS lacks');
  return {
    countFree: () => launchAddresses.countFree(db, seed.id),
    addFree: async (rows) =>
      void (await launchAddresses.addFree(
        db,
        rows.map((row) => ({ ...row, genesisHash })),
      )),
    derive: (quoteId) => ({ quoteId, seedId: seed.id, addresses: deriveLaunchAddresses(seed, context, quoteId) }),
    newQuoteId: randomUUID,
    logger,
  };
}

/** New launches derive from the newest seed; the others only finish what they began. */
function firstSeed({ launchSeeds }: WorkerConfig): LaunchSeed {
  const [newest] = launchSeeds;
  if (newest === undefined) throw new Error('LAUNCH_SEEDS names no seed');
  return { id: newest.id, secret: newest.key };
}

async function shutDownRuntime(runtime: Runtime, logger: Logger): Promise<void> {
  await runtime
    .shutdown()
    .catch((error: unknown) => logger.warn({ err: error }, 'the Temporal runtime did not end cleanly'));
}
