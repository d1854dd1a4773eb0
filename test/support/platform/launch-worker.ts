import type { Logger } from 'pino';
import type { LandingSettings } from '../../../activities/launch/deps.ts';
import type { FollowingSettings } from '../../../activities/money/lanes.ts';
import type { ExchangeAdapter } from '../../../chain/exchange/exchange-adapter.ts';
import type { RpcCall } from '../../../chain/rpc/reported-fetch.ts';
import type { WorkerConfig } from '../../../config/worker.ts';
import { openTraces } from '../../../observe/traces/open-traces.ts';
import { recordCall } from '../../../observe/traces/rpc-spans.ts';
import { activitiesOf } from '../../../worker/composition.ts';
import { openConnections } from '../../../worker/connections.ts';
import { openLanes } from '../../../worker/open-lanes.ts';
import { addressPoolOf, fillAddressPool, keepAddressPoolFilled } from '../../../worker/launch/address-pool.ts';
import { runUntilStopped } from '../../../worker/run.ts';
import { createShared } from '../../../worker/shared.ts';
import { createQueueWorkers } from '../../../worker/task-queues.ts';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from '../../../worker/workflow-bundle.ts';
import type { StepGate } from './step-gate.ts';

/** Enough for a file of tests; the pool is topped up while it is used. */
const FREE_ADDRESSES = 60;

/** How to run the worker of a test platform. */
export interface TestWorkerOptions {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly landing: LandingSettings;
  readonly following: FollowingSettings;
  readonly gate: StepGate;
  readonly exchange: ExchangeAdapter;
}

/** The worker of a test platform: all task queues and the address pool, inside this process. */
export interface TestWorker {
  /** Ends it as a crash would: running steps are cancelled without finishing. */
  stop(): Promise<void>;
  /** Starts another one, as the first or configured anew. */
  start(config?: WorkerConfig): Promise<void>;
}

/** Starts the worker as worker/worker.ts does, with a gate around each step. */
export async function startTestWorker(options: TestWorkerOptions): Promise<TestWorker> {
  let running = await run(options);
  return {
    stop: () => running.stop(),
    start: async (config = options.config) => {
      running = await run({ ...options, config });
    },
  };
}

async function run({
  config,
  logger,
  landing,
  following,
  gate,
  exchange,
}: TestWorkerOptions): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const retry = { logger, signal: stopping.signal, timeoutMs: 20_000 };
  const traces = await openTraces(config, 'slipway-worker', logger);
  const onCall = (call: RpcCall) => traces && recordCall(traces, call);
  const connections = await openConnections(config, retry, onCall);
  const shared = createShared(config, connections, logger, {
    landing,
    following,
    traces,
    exchange,
  });
  await openLanes(shared.lanes, connections, retry);
  const workers = await createQueueWorkers({
    connection: connections.temporal,
    namespace: config.temporal.namespace,
    workflowBundle: await cachedWorkflowBundle(CACHE_DIRECTORY, logger, traces ? 'traced' : 'plain'),
    activities: gate.guard(activitiesOf(shared)),
    shutdownGraceMs: 10,
    version: null,
    traces,
  });
  const pool = { ...addressPoolOf(shared), target: FREE_ADDRESSES };
  // At once, so that a test's first launch finds one however slow the machine is.
  await fillAddressPool(pool, stopping.signal);
  const loops = [(until: AbortSignal) => keepAddressPoolFilled(pool, until)];
  const ended = runUntilStopped({ workers, loops, logger }, stopping.signal);
  // Whoever stops the worker hears of a failure; until then it must not count as unhandled.
  ended.catch((error: unknown) => logger.error({ err: error }, 'the test worker ended'));
  return {
    stop: async () => {
      stopping.abort(new Error('stopped by the test'));
      gate.cutOff();
      await ended.catch(unlessCutOff);
      shared.hints.close();
      shared.relay.close();
      await connections.close();
      await traces?.close();
    },
  };
}

/** Temporal's SDK says so of workers that are cut off without grace, which is what stopping one means here; by name, because it comes out of a VM. */
function unlessCutOff(error: unknown): void {
  if (!String(error).startsWith('IllegalStateError')) throw error;
}
