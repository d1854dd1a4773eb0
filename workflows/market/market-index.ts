import {
  ActivityFailure,
  continueAsNew,
  log,
  proxyActivities,
  setWorkflowOptions,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { MarketActivities } from '../../activities/market/activities.ts';
import { WATCH_TASK_QUEUE, WATCH_WAIT } from '../task-queues.ts';

/**
 * Retried until it succeeds: the changes stay on the chain. The short heartbeat timeout lets another worker resume
 * within seconds.
 */
const { followMarket } = proxyActivities<MarketActivities>({
  taskQueue: WATCH_TASK_QUEUE,
  scheduleToStartTimeout: WATCH_WAIT,
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

/** Activities per run. Each lasts up to an hour; six events each keep a run's history short. */
const ACTIVITIES_PER_RUN = 24;

/**
 * Keeps swaps and figures up to date, for ever. Everything happens inside one long activity, so that neither trades nor
 * polls become events. All state is in the database, so that a run can end anywhere.
 */
export async function marketIndex(): Promise<never> {
  for (let done = 0; done < ACTIVITIES_PER_RUN; done++) await followUnlessUnscheduled();
  return continueAsNew<typeof marketIndex>();
}

/**
 * A run never ends: new releases take it over, by patches. Without versioning the server rejects a versioning behavior.
 */
setWorkflowOptions(() => {
  const { currentDeploymentVersion } = workflowInfo();
  return currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
}, marketIndex);

/** Returns also if no worker started the activity in time; the caller schedules it again. */
async function followUnlessUnscheduled(): Promise<void> {
  try {
    await followMarket();
  } catch (error) {
    const isUntaken = error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
    if (!isUntaken || error.cause.timeoutType !== 'SCHEDULE_TO_START') throw error;
    log.warn('no worker took the index of the market; it is scheduled again');
  }
}
