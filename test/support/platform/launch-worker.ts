import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { LandingSettings } from '../../../activities/launch/deps.ts';
import type { FollowingSettings } from '../../../activities/money/lanes.ts';
import type { Exchange } from '../../../chain/exchange/exchange.ts';
import { deriveLaunchAddresses } from '../../../chain/keys/launch-keys.ts';
import type { WorkerConfig } from '../../../config/worker.ts';
import * as launchAddresses from '../../../db/launch/launch-addresses.ts';
import { createActivities } from '../../../worker/activities.ts';
import { keepAddressPoolFilled, type AddressPoolDeps } from '../../../worker/address-pool.ts';
import { type Connections, openConnections } from '../../../worker/connections.ts';
import { openLanes } from '../../../worker/open-lanes.ts';
import { runUntilStopped } from '../../../worker/run.ts';
import { createQueueWorker } from '../../../worker/task-queues.ts';
import { cachedWorkflowBundle } from '../../../worker/workflow-bundle.ts';
import { LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE } from '../../../workflows/messages/task-queues.ts';
import type { StepGate } from './step-gate.ts';

/** Where the run's first platform leaves the workflow bundle for the others. */
const CACHE_DIRECTORY = join(import.meta.dirname, '../../../.data/cache');

/** Enough for a file of tests; the pool is topped up while it is used. */
const FREE_ADDRESSES = 60;

/** How to run the worker of a test platform. */
export interface TestWorkerOptions {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly landing: LandingSettings;
  readonly following: FollowingSettings;
  readonly gate: StepGate;
  /** Default: the configured adapter. */
  readonly exchange?: Exchange | undefined;
}

/** The worker of a test platform: both task queues and the address pool, inside this process. */
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
  const connections = await openConnections(config, retry);
  const { activities, lanes, close } = createActivities(config, connections, logger, {
    landing,
    following,
    ...(exchange && { exchange }),
  });
  await openLanes(lanes, connections, retry);
  const workers = await createWorkers(config, logger, connections, gate.guard(activities));
  const pool = addressPoolOf(config, connections, logger);
  const loops = [(until: AbortSignal) => keepAddressPoolFilled(pool, until)];
  const ended = runUntilStopped({ workers, loops, logger }, stopping.signal);
  // Whoever stops the worker hears of a failure; until then it must not count as unhandled.
  ended.catch((error: unknown) => logger.error({ err: error }, 'the test worker ended'));
  return {
    stop: async () => {
      stopping.abort(new Error('stopped by the test'));
      await ended;
      close();
      await connections.close();
    },
  };
}

async function createWorkers(
  config: WorkerConfig,
  logger: Logger,
  { temporal: connection }: Connections,
  activities: object,
): Promise<Worker[]> {
  const workflowBundle = await cachedWorkflowBundle(CACHE_DIRECTORY, logger);
  const { namespace } = config.temporal;
  const queues = [LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE] as const;
  return Promise.all(
    queues.map((queue) =>
      createQueueWorker(queue, { connection, namespace, workflowBundle, activities, shutdownGraceMs: 10 }),
    ),
  );
}

function addressPoolOf(config: WorkerConfig, { db, genesisHash }: Connections, logger: Logger): AddressPoolDeps {
  const [seed] = config.launchSeeds;
  if (!seed) throw new Error('LAUNCH_SEEDS names no seed');
  const context = { genesisHash, environment: config.environment };
  const launchSeed = { id: seed.id, secret: seed.key };
  return {
    countFree: () => launchAddresses.countFree(db, seed.id),
    addFree: async (rows) =>
      void (await launchAddresses.addFree(
        db,
        rows.map((row) => ({ ...row, genesisHash })),
      )),
    derive: (quoteId) => ({
      quoteId,
      seedId: seed.id,
      addresses: deriveLaunchAddresses(launchSeed, context, quoteId),
    }),
    newQuoteId: randomUUID,
    logger,
    target: FREE_ADDRESSES,
    checkEveryMs: 200,
  };
}
