import { log, proxyActivities } from '@temporalio/workflow';
import type { RestockActivities } from '../../activities/restock/activities.ts';
import { isOpenFirst } from '../open-first.ts';

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
 * One round of restocking: goes on with the purchases that are open, then buys quote tokens for the pairs of which too few are
 * available, one after the other, because all swaps go through one wallet. A purchase that fails stays open for the next round.
 * Answers how many were made.
 */
export async function restock(): Promise<number> {
  const open = isOpenFirst() ? await openRestocks() : [];
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
