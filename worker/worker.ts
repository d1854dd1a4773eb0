import type { Runtime, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config/worker.ts';
import { activitiesOf, metersOf } from './composition.ts';
import { type Connections, openConnections } from './connections.ts';
import { startHealthServer } from '../observe/health-server.ts';
import { openTraces } from '../observe/traces/open-traces.ts';
import { callListener } from '../observe/traces/rpc-spans.ts';
import type { Traces } from '../observe/traces/traces.ts';
import { createRpcMeter } from '../observe/rpc-meter.ts';
import { addressPoolOf, discardForeignAddresses, keepAddressPoolFilled } from './launch/address-pool.ts';
import { reportLaunchGround } from './launch/report-ground.ts';
import { keepMarketIndex } from './market/keep-index.ts';
import { freeLoopbackAddress } from './metrics.ts';
import { keepNamespacePrepared } from './namespace-keeper.ts';
import { prepareNamespace } from './prepare-namespace.ts';
import { createProbe, type RunningParts } from './probe.ts';
import { openLanes } from './open-lanes.ts';
import { runUntilStopped } from './run.ts';
import { schedulesOf } from './schedules.ts';
import { installTemporalRuntime } from './runtime.ts';
import { createShared, type Shared } from './shared.ts';
import { createQueueWorkers } from './task-queues.ts';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from './workflow-bundle.ts';

/** How long the parts this process needs may stay away at start, in ms. */
const START_TIMEOUT_MS = 120_000;

/**
 * Runs the worker process until `signal` fires: connects, prepares the namespace, polls all task queues, keeps the pool
 * of launch addresses filled, and serves health and metrics from the first moment on. After the signal, running activities
 * may finish within the configured grace time. Throws when a part cannot be reached at start or a poller fails.
 */
export async function runWorker(config: WorkerConfig, logger: Logger, signal: AbortSignal): Promise<void> {
  const metricsAddress = await freeLoopbackAddress();
  const runtime = installTemporalRuntime({ logger, metricsAddress });
  const probe = createProbe(signal);
  const health = await startHealthServer({ host: config.host, port: config.port, logger, ...probe });
  logger.info({ port: health.port }, 'health and metrics are served');
  const traces = await openTraces(config, 'slipway-worker', logger);
  try {
    await connectAndRun({ config, logger, traces }, signal, (running) => {
      const { namespace } = config.temporal;
      probe.running({ ...running, namespace, metricsAddress });
    });
  } finally {
    await traces?.close();
    await health.close();
    await shutDownRuntime(runtime, logger);
  }
}

/** What a worker is run with. */
interface Run {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly traces: Traces | null;
}

async function connectAndRun(
  { config, logger, traces }: Run,
  signal: AbortSignal,
  onRunning: (parts: Pick<RunningParts, 'connections' | 'workers' | 'meters'>) => void,
): Promise<void> {
  const retry = { logger, signal, timeoutMs: START_TIMEOUT_MS };
  const rpcMeter = createRpcMeter('slipway_worker_rpc_call_duration_seconds');
  const connections = await openConnections(config, retry, callListener(rpcMeter, traces));
  try {
    const shared = createShared(config, connections, logger, { traces });
    try {
      const { temporal: connection } = connections;
      const { namespace } = config.temporal;
      const schedules = schedulesOf(config);
      await prepareNamespace(connection, namespace, retry, schedules);
      await reportLaunchGround(shared, retry);
      await openLanes(shared.lanes, connections, retry);
      const workers = await createWorkers(shared, connections, traces);
      await discardForeignAddresses(shared);
      const meters = metersOf({ ...shared, db: connections.ofMetrics });
      onRunning({ connections, workers, meters: [...meters, rpcMeter.metric] });
      const loops = [
        (until: AbortSignal) => keepAddressPoolFilled(addressPoolOf(shared), until),
        (until: AbortSignal) => keepNamespacePrepared({ connection, namespace, schedules, logger }, until),
        (until: AbortSignal) => keepMarketIndex(shared, until),
      ];
      await runUntilStopped({ workers, loops, logger }, signal);
    } finally {
      shared.hints.close();
      shared.relay.close();
    }
  } finally {
    await connections.close();
  }
}

async function createWorkers(
  shared: Shared,
  { temporal: connection }: Connections,
  traces: Traces | null,
): Promise<Worker[]> {
  const { config, logger } = shared;
  const started = performance.now();
  const workflowBundle = await cachedWorkflowBundle(CACHE_DIRECTORY, logger, traces ? 'traced' : 'plain');
  const workers = await createQueueWorkers({
    connection,
    namespace: config.temporal.namespace,
    workflowBundle,
    activities: activitiesOf(shared),
    shutdownGraceMs: config.shutdownGraceMs,
    version: config.version,
    traces,
  });
  logger.info({ ms: Math.round(performance.now() - started) }, 'workers of all task queues are created');
  return workers;
}

async function shutDownRuntime(runtime: Runtime, logger: Logger): Promise<void> {
  await runtime
    .shutdown()
    .catch((error: unknown) => logger.warn({ err: error }, 'the Temporal runtime did not end cleanly'));
}
