import { log, proxyActivities } from '@temporalio/workflow';
import type { BuybackActivities } from '../../activities/buyback/activities.ts';
import { isOpenFirst } from '../open-first.ts';

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
 * One round: goes on with the purchases that were begun, ranks the tokens anew, divides what revenue has set aside, and buys and
 * burns with it, one token after the other, so that none of them is bought with a price that the last purchase has just moved. A
 * purchase that fails is left for the next round, and what is not spent stays set aside. Answers how many came to their end.
 */
export async function buyback(): Promise<number> {
  const underWay = isOpenFirst() ? await buybacksUnderWay() : [];
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
