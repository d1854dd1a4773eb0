import { proxyActivities } from '@temporalio/workflow';
import type { SealedLogActivities } from '../../activities/proof/activities.ts';

const { sealDueLog } = proxyActivities<SealedLogActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
});

/** Seals what was signed and changed since the last log. Returns its number; null if there is nothing new. */
export async function sealLog(): Promise<number | null> {
  return sealDueLog();
}
