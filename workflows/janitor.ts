import { proxyActivities } from '@temporalio/workflow';
import type { JanitorActivities } from '../activities/janitor.ts';

const { startMissingLaunches } = proxyActivities<JanitorActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

/** One round of the janitor: every launch that is not settled gets a workflow. Answers how many were looked at. */
export async function janitor(): Promise<number> {
  return startMissingLaunches();
}
