import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities } from '../activities/launch/empty-wallets.ts';

const { launchesToSweep } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

const { sweepLaunch } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumAttempts: 3 },
});

/**
 * One round of sweeping: empties the wallets of launches that are finalized. A launch that fails is left for the next
 * round. Answers how many were swept.
 */
export async function sweep(): Promise<number> {
  const launches = await launchesToSweep();
  const results = await Promise.allSettled(launches.map((quoteId) => sweepLaunch(quoteId)));
  return results.filter(({ status }) => status === 'fulfilled').length;
}
