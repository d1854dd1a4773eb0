import type { Runtime, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config/worker.ts';
import type { ExchangeAdapter } from '../chain/exchange/exchange-adapter.ts';
import { activitiesOf, metersOf } from './composition.ts';
import { type Connections, openConnections } from './connections.ts';
import { startHealthServer } from '../observe/health-server.ts';
import { openTraces } from '../observe/traces/open-traces.ts';
import { callListener } from '../observe/traces/rpc-spans.ts';
import type { Traces } from '../observe/traces/traces.ts';
import { createRpcMeter } from '../observe/rpc-meter.ts';
import { discardForeignEvents } from './events/foreign-events.ts';
import { webhookKeeperOf } from './events/deps.ts';
import { keepTransactionsShort } from './end-long-transactions.ts';
import { keepWebhooks } from './events/keep-webhooks.ts';
import { noteWebhookKeys } from './events/note-webhook-keys.ts';
import { addressPoolOf, discardForeignAddresses, keepAddressPoolFilled } from './launch/address-pool.ts';
import { discardOtherSuffixes, keepSuffixedPoolFilled, suffixedPoolOf } from './launch/suffixed-pool.ts';
import { reportLaunchChecks } from './launch/report-launch-checks.ts';
import { keepMarketIndex } from './market/keep-index.ts';
import { freeLoopbackAddress } from './metrics.ts';
import { noteWallets } from './note-wallets.ts';
import { keepNamespacePrepared } from './namespace-keeper.ts';
import { prepareNamespace } from './prepare-namespace.ts';
import { createProbe, type RunningParts } from './probe.ts';
import { openLanes } from './open-lanes.ts';
import { runUntilStopped } from './run.ts';
import { schedulesOf } from './schedules.ts';
import { installTemporalRuntime } from './runtime.ts';
import { createShared, type Shared } from './shared.ts';
import { createQueueWorkers, type QueueDeps } from './task-queues.ts';
import { createTemporalClock } from './temporal-clock.ts';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from './workflow-bundle.ts';

/** Maximum wait for a required part at start, ms. */
const START_TIMEOUT_MS = 120_000;

export interface WorkerParts {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly exchange: ExchangeAdapter;
}

/**
 * Runs until `signal`: connects, prepares the namespace, polls, fills the address pool, serves health and metrics from
 * the start. Running activities finish within the grace time. Throws if a part is unreachable at start or a poller
 * fails.
 */
export async function runWorker({ config, logger, exchange }: WorkerParts, signal: AbortSignal): Promise<void> {
  const metricsAddress = await freeLoopbackAddress();
  const runtime = installTemporalRuntime({ logger, metricsAddress });
  const probe = createProbe(signal);
  const { host, port, instanceId } = config;
  const health = await startHealthServer({ host, port, instanceId, logger, ...probe });
  logger.info({ port: health.port }, 'health and metrics are served');
  const traces = await openTraces(config, 'slipway-worker', logger);
  try {
    const { namespace } = config.temporal;
    await connectAndRun({ config, logger, exchange, traces }, signal, {
      onWait: (problem) => probe.waiting(problem),
      onRunning: (running) => probe.running({ ...running, namespace, metricsAddress }),
    });
  } finally {
    await traces?.close();
    await health.close();
    await shutDownRuntime(runtime, logger);
  }
}

interface Run extends WorkerParts {
  readonly traces: Traces | null;
}

interface Observer {
  /** While a part is awaited. */
  readonly onWait: (problem: string) => void;
  readonly onRunning: (parts: Pick<RunningParts, 'connections' | 'workers' | 'meters'>) => void;
}

async function connectAndRun(
  { config, logger, exchange, traces }: Run,
  signal: AbortSignal,
  { onWait, onRunning }: Observer,
): Promise<void> {
  const retry = { logger, signal, timeoutMs: START_TIMEOUT_MS, onWait };
  const rpcMeter = createRpcMeter('slipway_worker_rpc_call_duration_seconds');
  const connections = await openConnections(config, retry, callListener(rpcMeter, traces));
  try {
    const shared = createShared(config, connections, logger, { exchange, traces });
    try {
      const { temporal: connection } = connections;
      const { namespace } = config.temporal;
      const schedules = schedulesOf(config);
      await prepareNamespace(connection, namespace, retry, schedules);
      await reportLaunchChecks(shared, retry);
      await openLanes(shared.lanes, connections, retry);
      await noteWallets(shared, retry);
      const clock = createTemporalClock(Date.now, logger);
      const workers = await createWorkers(shared, connections, { traces, observeActivities: clock.interceptor });
      await discardForeignAddresses(shared);
      await discardOtherSuffixes(shared);
      await discardForeignEvents(shared);
      await noteWebhookKeys(shared);
      const meters = metersOf({ ...shared, db: connections.metricsDb });
      onRunning({ connections, workers, meters: [...meters, rpcMeter.metric, clock.metric] });
      const suffixedPool = suffixedPoolOf(shared);
      const loops = [
        (until: AbortSignal) => keepAddressPoolFilled(addressPoolOf(shared), until),
        ...(suffixedPool === null ? [] : [(until: AbortSignal) => keepSuffixedPoolFilled(suffixedPool, until)]),
        (until: AbortSignal) => keepNamespacePrepared({ connection, namespace, schedules, logger }, until),
        (until: AbortSignal) => keepMarketIndex(shared, until),
        (until: AbortSignal) => keepTransactionsShort(shared, until),
        (until: AbortSignal) => keepWebhooks(webhookKeeperOf(shared), until),
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
  watching: Required<Pick<QueueDeps, 'observeActivities'>> & { readonly traces: Traces | null },
): Promise<Worker[]> {
  const { config, logger } = shared;
  const started = performance.now();
  const workflowBundle = await cachedWorkflowBundle(CACHE_DIRECTORY, logger, watching.traces ? 'traced' : 'plain');
  const workers = await createQueueWorkers({
    connection,
    namespace: config.temporal.namespace,
    workflowBundle,
    activities: activitiesOf(shared),
    shutdownGraceMs: config.shutdownGraceMs,
    version: config.version,
    ...watching,
  });
  logger.info({ ms: Math.round(performance.now() - started) }, 'workers of all task queues are created');
  return workers;
}

async function shutDownRuntime(runtime: Runtime, logger: Logger): Promise<void> {
  await runtime
    .shutdown()
    .catch((error: unknown) => logger.warn({ err: error }, 'the Temporal runtime did not end cleanly'));
}
