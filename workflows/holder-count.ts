import { proxyActivities } from '@temporalio/workflow';
import type { HolderActivities } from '../activities/market/holder-count.ts';

const { countHolders } = proxyActivities<HolderActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

/** One round: counts the holders of tokens that traded since they were counted. Answers how many tokens were. */
export async function holderCount(): Promise<number> {
  return countHolders();
}
