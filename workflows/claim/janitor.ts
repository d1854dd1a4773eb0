import { proxyActivities } from '@temporalio/workflow';
import type { ClaimJanitorActivities } from '../../activities/claim/janitor.ts';
import { WATCH_TASK_QUEUE, WATCH_WAIT } from '../task-queues.ts';

const { startMissingClaims } = proxyActivities<ClaimJanitorActivities>({
  taskQueue: WATCH_TASK_QUEUE,
  scheduleToStartTimeout: WATCH_WAIT,
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

/** Gives every unsettled claim a workflow. Returns their number. */
export async function claimJanitor(): Promise<number> {
  return startMissingClaims();
}
