import { proxyActivities } from '@temporalio/workflow';
import type { RemedyActivities, RemedyAnswer, RemedyRequest } from '../../activities/money/remedies/activities.ts';

const { carryOut } = proxyActivities<RemedyActivities>({
  startToCloseTimeout: '2 minutes',
  // The operator sees a failure and decides again.
  retry: { maximumAttempts: 1 },
});

export async function remedy(request: RemedyRequest): Promise<RemedyAnswer> {
  return carryOut(request);
}
