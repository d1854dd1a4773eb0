import { log, proxyActivities } from '@temporalio/workflow';
import type { RestockActivities } from '../activities/restock/activities.ts';

const { planRestocks } = proxyActivities<RestockActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

const { swapForInventory } = proxyActivities<RestockActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '2 seconds', maximumAttempts: 3 },
});

/**
 * One round of restocking: buys quote tokens for the pairs of which too few are available, one after the other, because all
 * swaps go through one wallet. A purchase that fails stays open for the next round. Answers how many were made.
 */
export async function restock(): Promise<number> {
  let bought = 0;
  for (const roundId of await planRestocks()) {
    try {
      if ((await swapForInventory(roundId)) === 'done') bought++;
    } catch (error) {
      log.warn('a restock is left for the next round', { roundId, error });
    }
  }
  return bought;
}
