import { log, proxyActivities } from '@temporalio/workflow';
import type { BuybackActivities } from '../activities/buyback/activities.ts';

const { rankFlywheel, planBuybacks } = proxyActivities<BuybackActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { maximumAttempts: 3 },
});

const { buyBack } = proxyActivities<BuybackActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '2 seconds', maximumAttempts: 3 },
});

/**
 * One round: ranks the tokens anew, divides what revenue has set aside, and buys and burns with it, one token after the other,
 * so that none of them is bought with a price that the last purchase has just moved. A purchase that fails is left for the next
 * round, and what is not spent stays set aside. Answers how many came to their end.
 */
export async function buyback(): Promise<number> {
  await rankFlywheel();
  let burned = 0;
  for (const id of await planBuybacks()) {
    try {
      if ((await buyBack(id)) === 'done') burned++;
    } catch (error) {
      log.warn('a purchase is left for the next round', { id, error });
    }
  }
  return burned;
}
