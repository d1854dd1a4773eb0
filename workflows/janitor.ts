import { proxyActivities } from '@temporalio/workflow';
import type { JanitorActivities } from '../activities/launch/janitor.ts';

const { startMissingLaunches } = proxyActivities<JanitorActivities>({
  // After an outage there may be thousands.
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { maximumAttempts: 3 },
});

/** One round of the janitor: every launch that is not settled gets a workflow. Answers how many were looked at. */
export async function janitor(): Promise<number> {
  return startMissingLaunches();
}
