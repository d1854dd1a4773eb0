import { proxyActivities } from '@temporalio/workflow';
import type { HolderCountActivities } from '../../activities/market/holder-count.ts';

const { countHolders } = proxyActivities<HolderCountActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

export async function holderCount(): Promise<number> {
  return countHolders();
}
