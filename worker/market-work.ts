import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { createGraduationActivities, type GraduationActivities } from '../activities/market/graduation.ts';
import { createHolderActivities, type HolderActivities } from '../activities/market/holder-count.ts';
import { createMarketCheckActivities, type MarketCheckActivities } from '../activities/market/check.ts';
import { createMarketActivities, type MarketActivities } from '../activities/market/activities.ts';
import type { MarketDeps } from '../activities/market/deps.ts';
import type { Exchange } from '../chain/exchange/exchange.ts';
import { createConfiguredPrices } from '../chain/prices/configured-prices.ts';
import type { PriceSource } from '../chain/prices/price-source.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { createPriceLookups } from '../db/prices/price-lookups.ts';
import type { Connections } from './connections.ts';
import { createMarketMeters, type MarketMeterSet } from './market-meters.ts';
import { marketIndexStarter } from './market-starter.ts';

/** The activities of the index of the market, and its metrics. */
export interface MarketWork extends Pick<MarketMeterSet, 'metrics'> {
  readonly activities: MarketActivities & GraduationActivities & HolderActivities & MarketCheckActivities;
}

/** A chunk's transactions are held in memory, and stored within one database transaction. */
const CHUNK = 500;

/** Builds the market's activities from the configuration. */
export function marketWork(
  config: WorkerConfig,
  connections: Pick<Connections, 'db' | 'rpc'>,
  { client, exchange, logger }: { readonly client: Client; readonly exchange: Exchange; readonly logger: Logger },
): MarketWork {
  const now = () => new Date();
  const { meters, metrics } = createMarketMeters(now);
  const deps: MarketDeps = {
    db: connections.db,
    rpc: connections.rpc,
    exchange,
    meters,
    now,
    logger,
    prices: pricesOf(config, connections, { now, logger }),
    settings: { everyMs: config.market.everyMs, aboutToGraduateBps: config.aboutToGraduateBps, chunk: CHUNK },
    startIndex: marketIndexStarter(client),
    heartbeat: () => Context.current().heartbeat(),
  };
  const activities = {
    ...createMarketActivities(deps),
    ...createGraduationActivities(deps),
    ...createHolderActivities({ ...deps, most: config.market.holderCounts }),
    ...createMarketCheckActivities(deps),
  };
  return { activities, metrics };
}

function pricesOf(
  config: WorkerConfig,
  { db, rpc }: Pick<Connections, 'db' | 'rpc'>,
  { now, logger }: Pick<MarketDeps, 'now' | 'logger'>,
): PriceSource {
  return createConfiguredPrices(config.prices, {
    ...createPriceLookups(db),
    currentSlot: async () => (await rpc.head('processed')).slot,
    now,
    logger,
  });
}
