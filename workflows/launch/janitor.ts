import { proxyActivities } from '@temporalio/workflow';
import type { LaunchJanitorActivities } from '../../activities/launch/janitor.ts';
import { WATCH_TASK_QUEUE, WATCH_WAIT } from '../task-queues.ts';

const { startMissingLaunches } = proxyActivities<LaunchJanitorActivities>({
  taskQueue: WATCH_TASK_QUEUE,
  scheduleToStartTimeout: WATCH_WAIT,
  // After an outage there may be thousands.
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { maximumAttempts: 3 },
});

/** Gives every unsettled launch a workflow. Returns their number. */
export async function launchJanitor(): Promise<number> {
  return startMissingLaunches();
}
