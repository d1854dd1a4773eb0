import { createRestockActivities, type RestockActivities, type RestockDeps } from '../activities/restock/activities.ts';
import { createConfiguredPrices } from '../chain/prices/configured-prices.ts';
import { createJupiterSwaps, JUPITER_PROGRAM_ID } from '../chain/aggregator/jupiter-swaps.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { createPriceLookups } from '../db/prices/price-lookups.ts';
import type { Connections } from './connections.ts';

/** What restocks share with the worker's other transactions. */
type Shared = Pick<RestockDeps, 'seeds' | 'context' | 'settings' | 'logger' | 'now' | 'sleep' | 'heartbeat'>;

/** Builds the activities of restocks from the configuration. */
export function restockWork(
  { prices, restock }: WorkerConfig,
  { db, rpc, signers }: Pick<Connections, 'db' | 'rpc' | 'signers'>,
  { seeds, context, settings, logger, now, sleep, heartbeat }: Shared,
): RestockActivities {
  const { url, key } = prices.jupiter;
  return createRestockActivities({
    db,
    rpc,
    signers,
    seeds,
    context,
    settings,
    logger,
    now,
    sleep,
    heartbeat,
    prices: createConfiguredPrices(prices, {
      ...createPriceLookups(db),
      currentSlot: async () => (await rpc.head('processed')).slot,
      now,
      logger,
    }),
    aggregator: createJupiterSwaps({ url, ...(key !== undefined && { apiKey: key }) }),
    programs: [JUPITER_PROGRAM_ID],
    limits: restock,
  });
}
