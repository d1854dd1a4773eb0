import {
  createFeeSweepActivities,
  type FeeSweepActivities,
  type FeeSweepDeps,
} from '../activities/fee-sweep/activities.ts';
import { createConfiguredPrices } from '../chain/prices/configured-prices.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { createPriceLookups } from '../db/prices/price-lookups.ts';
import type { Connections } from './connections.ts';

/** What sweeps of fees share with the worker's other transactions. */
type Shared = Pick<FeeSweepDeps, 'exchange' | 'settings' | 'logger' | 'now' | 'sleep' | 'heartbeat'>;

/** Builds the activities of fee sweeps from the configuration. */
export function feeSweepWork(
  { prices, feeSweep }: WorkerConfig,
  { db, rpc, signers }: Pick<Connections, 'db' | 'rpc' | 'signers'>,
  { exchange, settings, logger, now, sleep, heartbeat }: Shared,
): FeeSweepActivities {
  return createFeeSweepActivities({
    db,
    rpc,
    signers,
    exchange,
    settings,
    logger,
    now,
    sleep,
    heartbeat,
    rules: feeSweep,
    prices: createConfiguredPrices(prices, {
      ...createPriceLookups(db),
      currentSlot: async () => (await rpc.head('processed')).slot,
      now,
      logger,
    }),
  });
}
