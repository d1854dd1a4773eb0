import { log, proxyActivities } from '@temporalio/workflow';
import type { BuybackActivities } from '../../activities/buyback/activities.ts';

const { buybacksUnderWay, rankFlywheel, planBuybacks } = proxyActivities<BuybackActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { maximumAttempts: 3 },
});

const { buyBack } = proxyActivities<BuybackActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '2 seconds', maximumAttempts: 3 },
});

/**
 * One round: continues the begun purchases, ranks the tokens, plans the budgets, then buys and burns one token after
 * the other, so that no purchase uses a price that the previous one has just moved. A failed purchase waits for the
 * next round, and unspent revenue stays set aside. Returns the number of completed purchases.
 */
export async function buyback(): Promise<number> {
  const underWay = await buybacksUnderWay();
  const burned = await carryOut(underWay);
  await rankFlywheel();
  const open = await planBuybacks();
  return burned + (await carryOut(open.filter((id) => !underWay.includes(id))));
}

async function carryOut(ids: readonly string[]): Promise<number> {
  let burned = 0;
  for (const id of ids) {
    try {
      if ((await buyBack(id)) === 'done') burned++;
    } catch (error) {
      log.warn('a purchase is left for the next round', { id, error });
    }
  }
  return burned;
}
