import { proxyActivities } from '@temporalio/workflow';
import type { ClaimJanitorActivities } from '../activities/claim/janitor.ts';

const { startMissingClaims } = proxyActivities<ClaimJanitorActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

/** One round of the claims' janitor: every claim that is not settled gets a workflow. Answers how many were looked at. */
export async function claimJanitor(): Promise<number> {
  return startMissingClaims();
}
