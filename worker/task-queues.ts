import type { WorkerDeploymentVersion } from '@temporalio/common';
import {
  type ActivityInterceptorsFactory,
  type NativeConnection,
  Worker,
  type WorkerDeploymentOptions,
  type WorkerOptions,
  type WorkflowBundle,
} from '@temporalio/worker';
import type { Traces } from '../observe/traces/traces.ts';
import {
  ACTIVITY_QUEUES,
  type ActivityQueue,
  LANDINGS_TASK_QUEUE,
  LAUNCHES_TASK_QUEUE,
  ROUNDS_TASK_QUEUE,
  TASK_QUEUES,
  type TaskQueue,
  WATCH_TASK_QUEUE,
  WEBHOOKS_TASK_QUEUE,
} from '../workflows/task-queues.ts';
import { createSlotlessActivities } from './slotless-activities.ts';
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

/** Airdrop batches at once: they land concurrently, but must leave RPC and CPU to launches. */
export const BULK_AT_ONCE = 20;

/**
 * Limits for a worker on two cores. Activities wait for chain, database and HTTP; workflow tasks compute some ms on
 * one thread per queue.
 */
const LIMITS: Record<TaskQueue, Limits> = {
  [LAUNCHES_TASK_QUEUE]: {
    // A paid launch or claim holds one, which mostly sleeps.
    maxConcurrentActivityTaskExecutions: 200,
    // A free poller must wait, else a step costs another round trip.
    maxConcurrentActivityTaskPolls: 10,
    // First tries; in a burst the rest waits before its timeout starts.
    maxConcurrentLocalActivityExecutions: 50,
    // Held during first tries: seconds if a part is unreachable.
    maxConcurrentWorkflowTaskExecutions: 200,
    maxConcurrentWorkflowTaskPolls: 10,
    // Open for 15 s: covers 30 launches a second without a replay.
    maxCachedWorkflows: 500,
  },
  [ROUNDS_TASK_QUEUE]: {
    maxConcurrentActivityTaskExecutions: BULK_AT_ONCE,
    maxConcurrentActivityTaskPolls: 2,
    maxConcurrentWorkflowTaskExecutions: 4,
    maxConcurrentWorkflowTaskPolls: 2,
    // Few but long.
    maxCachedWorkflows: 100,
  },
};

/** Limits for five kinds of activities, one or two each, plus an abandoned try. */
const WATCH_LIMITS: Limits = { maxConcurrentActivityTaskExecutions: 20, maxConcurrentActivityTaskPolls: 2 };

/** Activities that begin at the same moment; each returns its slot (`createSlotlessActivities`). */
export const LANDINGS_AT_ONCE = 20;

const LANDINGS_LIMITS: Limits = {
  maxConcurrentActivityTaskExecutions: LANDINGS_AT_ONCE,
  maxConcurrentActivityTaskPolls: 10,
};

/** Deliveries that begin at the same moment; each returns its slot, so that a slow receiver delays itself alone. */
export const WEBHOOKS_AT_ONCE = 20;

const WEBHOOKS_LIMITS: Limits = {
  maxConcurrentActivityTaskExecutions: WEBHOOKS_AT_ONCE,
  maxConcurrentActivityTaskPolls: 2,
};

/** Dependencies of this process. With traces the bundle is the traced one. */
export interface QueueDeps {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly workflowBundle: WorkflowBundle;
  readonly activities: object;
  /** After a shutdown request; then cancelled. */
  readonly shutdownGraceMs: number;
  /** Null without versioning. */
  readonly version: WorkerDeploymentVersion | null;
  /** Default: none. */
  readonly traces?: Traces | null;
  /** Sees every activity before the tracing does. */
  readonly observeActivities?: ActivityInterceptorsFactory;
}

/** Time after the grace time at which an activity that ignores its cancellation is abandoned, ms. */
const FORCE_AFTER_GRACE_MS = 6_000;

export function createQueueWorker(taskQueue: TaskQueue, deps: QueueDeps): Promise<Worker> {
  const { workflowBundle } = deps;
  return Worker.create({ ...optionsOf(deps), taskQueue, workflowBundle, ...LIMITS[taskQueue] });
}

const ACTIVITY_LIMITS: Record<ActivityQueue, Limits> = {
  [WATCH_TASK_QUEUE]: WATCH_LIMITS,
  [LANDINGS_TASK_QUEUE]: LANDINGS_LIMITS,
  [WEBHOOKS_TASK_QUEUE]: WEBHOOKS_LIMITS,
};

/** Queues of activities that mostly wait and hold no slot. */
const SLOTLESS: ReadonlySet<ActivityQueue> = new Set([LANDINGS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE]);

export function createActivityWorker(
  taskQueue: ActivityQueue,
  deps: Omit<QueueDeps, 'workflowBundle'>,
): Promise<Worker> {
  const options = SLOTLESS.has(taskQueue) ? withoutSlots(optionsOf(deps)) : optionsOf(deps);
  return Worker.create({ ...options, taskQueue, ...ACTIVITY_LIMITS[taskQueue] });
}

type QueueOptions = Omit<WorkerOptions, 'taskQueue'>;

function withoutSlots(options: QueueOptions): QueueOptions {
  const { interceptor, plugin } = createSlotlessActivities();
  const activity = [interceptor, ...(options.interceptors?.activity ?? [])];
  return { ...options, interceptors: { ...options.interceptors, activity }, plugins: [plugin] };
}

function optionsOf(deps: Omit<QueueDeps, 'workflowBundle'>): QueueOptions {
  return {
    connection: deps.connection,
    namespace: deps.namespace,
    activities: deps.activities,
    shutdownGraceTime: deps.shutdownGraceMs,
    shutdownForceTime: deps.shutdownGraceMs + FORCE_AFTER_GRACE_MS,
    interceptors: {
      activity: [
        ...(deps.observeActivities ? [deps.observeActivities] : []),
        ...(deps.traces ? [activitySpans(deps.traces)] : []),
      ],
    },
    ...(deps.traces && { sinks: workflowRuns(deps.traces) }),
    ...(deps.version !== null && { workerDeploymentOptions: versioned(deps.version) }),
  };
}

/**
 * Pins workflows to their release. A workflow ends on its release, so its code may change. One without an end opts
 * into the next release (`setWorkflowOptions`) and changes by patches.
 */
function versioned(version: WorkerDeploymentVersion): WorkerDeploymentOptions {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' };
}

export function createQueueWorkers(deps: QueueDeps): Promise<Worker[]> {
  return Promise.all([
    ...TASK_QUEUES.map((queue) => createQueueWorker(queue, deps)),
    ...ACTIVITY_QUEUES.map((queue) => createActivityWorker(queue, deps)),
  ]);
}

export function isPolling(worker: Worker): boolean {
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
  const hasWorkflows = !ACTIVITY_QUEUES.some((queue) => queue === worker.options.taskQueue);
  const isServed = activityPollerState === 'POLLING' && (!hasWorkflows || workflowPollerState === 'POLLING');
  return runState === 'RUNNING' && isServed;
}
