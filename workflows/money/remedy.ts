import { proxyActivities } from '@temporalio/workflow';
import type { RemedyActivities, RemedyAnswer, RemedyRequest } from '../../activities/money/remedies/activities.ts';

const { carryOut } = proxyActivities<RemedyActivities>({
  startToCloseTimeout: '2 minutes',
  // An operator hears of a failure and decides anew.
  retry: { maximumAttempts: 1 },
});

/** Carries out what an operator decided about a difference between the books and the chain. */
export async function remedy(request: RemedyRequest): Promise<RemedyAnswer> {
  return carryOut(request);
}
