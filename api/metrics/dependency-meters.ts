import { Counter, Gauge, type Metric } from 'prom-client';
import type { FeeSource } from '../../chain/network-fees/network-fees.ts';
import type { Db } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import type { DependencyLog } from '../../observe/dependency-meter.ts';
import { createReadGauge, type ReadLog } from '../../observe/read-gauge.ts';

/** The tip floor is the API's only request to the block engine. */
export interface FeeMeter {
  readonly metric: Metric;
  readonly read: (source: FeeSource, result: 'answered' | 'failed') => void;
}

const FEE_SOURCES: Readonly<Record<FeeSource, string>> = {
  'the tip floor': 'block_engine',
  'recent priority fees': 'cluster',
};

export function createFeeMeter(): FeeMeter {
  const metric = new Counter({
    name: 'slipway_api_network_fee_reads_total',
    help: 'Reads of tips (block_engine) and priority fees (cluster), by whether they were answered',
    labelNames: ['source', 'result'],
    registers: [],
  });
  return {
    metric,
    read: (source, result) => {
      metric.inc({ source: FEE_SOURCES[source], result });
    },
  };
}

export interface PoolFigures {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export function createPoolMeter(pool: PoolFigures): Metric {
  return new Gauge({
    name: 'slipway_api_database_connections',
    help: 'Connections to the database that are open (total) and unused (idle), and queries that wait for one (waiting)',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'total' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}

export function createReplicaMeter(problem: () => string | null): Metric {
  return new Gauge({
    name: 'slipway_api_read_replica',
    help: '1 where lists, sums and series are read from the standby of DATABASE_READ_URL; 0 where it is away or behind and the primary answers them too',
    registers: [],
    collect() {
      this.set(problem() === null ? 1 : 0);
    },
  });
}

export interface DatabaseMeterParts {
  /** Its own connection: commits that wait for a standby take all others. */
  readonly db: Db;
  readonly now: () => Date;
  readonly logger: ReadLog & DependencyLog;
}

export function createPriceMeter({ db, now, logger }: DatabaseMeterParts): Metric {
  return createReadGauge(logger, {
    name: 'slipway_api_price_age_seconds',
    help: 'Age of the newest price of each pair that launches can use; +Inf where there is none. Fixed prices do not age out',
    labelNames: ['mint', 'symbol', 'source'],
    read: () => priceAges(db, now()),
  });
}

async function priceAges(db: Db, now: Date) {
  const listed = await pairs.list(db, { launchable: true });
  const newest = await prices.latestOf(
    db,
    listed.map(({ mint }) => mint),
  );
  return listed.map(({ mint, symbol, priceSource }) => {
    const price = newest.get(mint);
    const age = price ? (now.getTime() - price.observedAt.getTime()) / 1_000 : Infinity;
    return { labels: { mint, symbol, source: priceSource }, value: age };
  });
}
