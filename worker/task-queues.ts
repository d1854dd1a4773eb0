import type { WorkerDeploymentVersion } from '@temporalio/common';
import {
  type NativeConnection,
  Worker,
  type WorkerDeploymentOptions,
  type WorkerOptions,
  type WorkflowBundle,
} from '@temporalio/worker';
import type { Traces } from '../observe/traces/traces.ts';
import {
  LAUNCHES_TASK_QUEUE,
  ROUNDS_TASK_QUEUE,
  TASK_QUEUES,
  type TaskQueue,
  WATCH_TASK_QUEUE,
} from '../workflows/task-queues.ts';
import { activitySpans } from './traces/activity-spans.ts';
import { workflowRuns } from './traces/workflow-runs.ts';

type Limits = Pick<
  WorkerOptions,
  | 'maxConcurrentActivityTaskExecutions'
  | 'maxConcurrentActivityTaskPolls'
  | 'maxConcurrentLocalActivityExecutions'
  | 'maxConcurrentWorkflowTaskExecutions'
  | 'maxConcurrentWorkflowTaskPolls'
  | 'maxCachedWorkflows'
>;

/**
 * Bulk activities at once. Batches of an airdrop land concurrently, but must leave the RPC endpoint and the cores to the launches.
 */
export const BULK_AT_ONCE = 20;

/**
 * A row per queue: how much it may do at once on a machine of two cores. Activities wait for the chain, the database and HTTP and hardly compute,
 * so their number is bounded by what those may take, not by the cores; workflow tasks compute, a few ms each, on one thread
 * per queue.
 */
const LIMITS: Record<TaskQueue, Limits> = {
  [LAUNCHES_TASK_QUEUE]: {
    // A launch holds at most two activities at a time (follow and metadata), each mostly asleep: 100 launches under way.
    maxConcurrentActivityTaskExecutions: 200,
    // A free poller must be waiting when a step is scheduled, else the step pays a round trip more.
    maxConcurrentActivityTaskPolls: 10,
    // First tries of short steps. Those that a burst cannot take up at once wait for a place, and not with their own time running.
    maxConcurrentLocalActivityExecutions: 50,
    // Each holds its place while the first tries in it last, for seconds where something is away.
    maxConcurrentWorkflowTaskExecutions: 200,
    maxConcurrentWorkflowTaskPolls: 10,
    // A launch is open for about 15 s until finality. 500 cached ones cover 30 launches a second without a replay.
    maxCachedWorkflows: 500,
  },
  [ROUNDS_TASK_QUEUE]: {
    maxConcurrentActivityTaskExecutions: BULK_AT_ONCE,
    maxConcurrentActivityTaskPolls: 2,
    maxConcurrentWorkflowTaskExecutions: 4,
    maxConcurrentWorkflowTaskPolls: 2,
    // Few but long workflows: the market index, one round per reward token, the open airdrops.
    maxCachedWorkflows: 100,
  },
};

/** Five kinds of activities, one or two of each at a time, and a remnant of each where a worker was given up. */
const WATCH_LIMITS: Limits = { maxConcurrentActivityTaskExecutions: 20, maxConcurrentActivityTaskPolls: 2 };

/** What all task queues of this process share. With traces, the bundle is the traced one. */
export interface QueueDeps {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly workflowBundle: WorkflowBundle;
  readonly activities: object;
  /** Running activities may finish within this time after a shutdown was asked for, in ms; then they are cancelled. */
  readonly shutdownGraceMs: number;
  /** Which release this is; null where releases are not told apart. */
  readonly version: WorkerDeploymentVersion | null;
  /** Default: nothing is traced. */
  readonly traces?: Traces | null;
}

/** An activity that ignores its cancellation is given up this long after the grace time, in ms; a first try of a step ends before. */
const FORCE_AFTER_GRACE_MS = 6_000;

/** Creates the Temporal worker of one task queue; it polls once `run` is called. */
export function createQueueWorker(taskQueue: TaskQueue, deps: QueueDeps): Promise<Worker> {
  const { workflowBundle } = deps;
  return Worker.create({ ...optionsOf(deps), taskQueue, workflowBundle, ...LIMITS[taskQueue] });
}

/** Creates the Temporal worker of the queue that has activities alone. */
export function createWatchWorker(deps: Omit<QueueDeps, 'workflowBundle'>): Promise<Worker> {
  return Worker.create({ ...optionsOf(deps), taskQueue: WATCH_TASK_QUEUE, ...WATCH_LIMITS });
}

function optionsOf(deps: Omit<QueueDeps, 'workflowBundle'>): Omit<WorkerOptions, 'taskQueue'> {
  return {
    connection: deps.connection,
    namespace: deps.namespace,
    activities: deps.activities,
    shutdownGraceTime: deps.shutdownGraceMs,
    shutdownForceTime: deps.shutdownGraceMs + FORCE_AFTER_GRACE_MS,
    ...(deps.traces && tracing(deps.traces)),
    ...(deps.version !== null && { workerDeploymentOptions: versioned(deps.version) }),
  };
}

/** Spans of workflows and activities. */
function tracing(traces: Traces): Pick<WorkerOptions, 'interceptors' | 'sinks'> {
  return { interceptors: { activity: [activitySpans(traces)] }, sinks: workflowRuns(traces) };
}

/**
 * A workflow ends on the release that it began on, so that its code may change while it is open; one without an end says of itself
 * that it goes over to the next release (`setWorkflowOptions`), and changes by patches.
 */
function versioned(version: WorkerDeploymentVersion): WorkerDeploymentOptions {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' };
}

/** Creates the Temporal workers of all task queues. */
export function createQueueWorkers(deps: QueueDeps): Promise<Worker[]> {
  return Promise.all([...TASK_QUEUES.map((queue) => createQueueWorker(queue, deps)), createWatchWorker(deps)]);
}

/** True while a worker takes activities from the server, and workflow tasks where its queue has some. */
export function isPolling(worker: Worker): boolean {
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
  const hasWorkflows = worker.options.taskQueue !== WATCH_TASK_QUEUE;
  const isServed = activityPollerState === 'POLLING' && (!hasWorkflows || workflowPollerState === 'POLLING');
  return runState === 'RUNNING' && isServed;
}
