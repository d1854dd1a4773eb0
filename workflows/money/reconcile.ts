import { proxyActivities } from '@temporalio/workflow';
import type { ReconcileActivities } from '../../activities/money/reconcile/activities.ts';

const { compareBooks } = proxyActivities<ReconcileActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
});

/** Returns the differences. */
export async function reconcile(): Promise<number> {
  return compareBooks();
}
