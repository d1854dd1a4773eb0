import { proxyActivities } from '@temporalio/workflow';
import type { LaunchWalletActivities } from '../../activities/launch/empty-wallets.ts';

const { launchWalletsToEmpty } = proxyActivities<LaunchWalletActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

const { emptyLaunchWallet } = proxyActivities<LaunchWalletActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumAttempts: 3 },
});

/** Empties the wallets of finalized launches. A failed one waits for the next round. Returns the number emptied. */
export async function emptyLaunchWallets(): Promise<number> {
  const launches = await launchWalletsToEmpty();
  const results = await Promise.allSettled(launches.map((quoteId) => emptyLaunchWallet(quoteId)));
  return results.filter(({ status }) => status === 'fulfilled').length;
}
