import { type BuybackActivities, type BuybackDeps, createBuybackActivities } from '../activities/buyback/activities.ts';
import { createConfiguredPrices } from '../chain/prices/configured-prices.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { createPriceLookups } from '../db/prices/price-lookups.ts';
import type { Connections } from './connections.ts';

/** What purchases with revenue share with the worker's other transactions. */
type Shared = Pick<BuybackDeps, 'exchange' | 'relay' | 'settings' | 'logger' | 'now' | 'sleep' | 'heartbeat'>;

/** Builds the activities of purchases with revenue from the configuration. */
export function buybackWork(
  config: WorkerConfig,
  { db, rpc, signers }: Pick<Connections, 'db' | 'rpc' | 'signers'>,
  { exchange, relay, settings, logger, now, sleep, heartbeat }: Shared,
): BuybackActivities {
  return createBuybackActivities({
    db,
    rpc,
    signers,
    exchange,
    relay,
    settings,
    logger,
    now,
    sleep,
    heartbeat,
    rules: buybackRules(config),
    prices: createConfiguredPrices(config.prices, {
      ...createPriceLookups(db),
      currentSlot: async () => (await rpc.head('processed')).slot,
      now,
      logger,
    }),
  });
}

/** The rules of purchases; how the platform's own swaps are judged they share with reward rounds. */
export function buybackRules({ platformToken, buyback, rewards }: WorkerConfig): BuybackDeps['rules'] {
  const { leastUsd, rankedTokens, rankedDays } = buyback;
  const { averageMinutes, limits } = rewards;
  return { platformToken, leastUsd, rankedTokens, rankedDays, averageMinutes, limits };
}
