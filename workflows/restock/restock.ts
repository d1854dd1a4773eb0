import { log, proxyActivities } from '@temporalio/workflow';
import type { RestockActivities } from '../../activities/restock/activities.ts';

const { openRestocks, planRestocks } = proxyActivities<RestockActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

const { buyForInventory } = proxyActivities<RestockActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '2 seconds', maximumAttempts: 3 },
});

/**
 * Continues open purchases, then buys for pairs with too little stock, one by one: all swaps share one wallet. A failed
 * one stays open. Returns the number of purchases.
 */
export async function restock(): Promise<number> {
  const open = await openRestocks();
  const bought = await buyAll(open);
  const planned = await planRestocks();
  return bought + (await buyAll(planned.filter((roundId) => !open.includes(roundId))));
}

async function buyAll(roundIds: readonly string[]): Promise<number> {
  let bought = 0;
  for (const roundId of roundIds) {
    try {
      if ((await buyForInventory(roundId)) === 'done') bought++;
    } catch (error) {
      log.warn('a restock is left for the next round', { roundId, error });
    }
  }
  return bought;
}
