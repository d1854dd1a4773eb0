import { createRewardActivities, type RewardActivities, type RewardDeps } from '../activities/reward/activities.ts';
import { createConfiguredPrices } from '../chain/prices/configured-prices.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { createPriceLookups } from '../db/prices/price-lookups.ts';
import type { Connections } from './connections.ts';

/** What reward rounds share with the worker's other transactions. */
type Shared = Omit<RewardDeps, 'db' | 'rpc' | 'signers' | 'prices' | 'rewards'>;

/** Builds the activities of reward rounds from the configuration. */
export function rewardWork(
  { prices, rewards }: WorkerConfig,
  { db, rpc, signers }: Pick<Connections, 'db' | 'rpc' | 'signers'>,
  shared: Shared,
): RewardActivities {
  const { exchange, relay, seeds, context, settings, logger, now, sleep, heartbeat } = shared;
  return createRewardActivities({
    db,
    rpc,
    signers,
    exchange,
    relay,
    seeds,
    context,
    settings,
    logger,
    now,
    sleep,
    heartbeat,
    rewards,
    prices: createConfiguredPrices(prices, {
      ...createPriceLookups(db),
      currentSlot: async () => (await rpc.head('processed')).slot,
      now,
      logger,
    }),
  });
}
