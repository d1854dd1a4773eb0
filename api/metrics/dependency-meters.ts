import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge, type Metric } from 'prom-client';
import type { FeeSource } from '../../chain/network-fees/network-fees.ts';
import type { Db } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import { waitingCommits } from '../../db/platform/waiting-commits.ts';
import * as prices from '../../db/prices/prices.ts';
import { within } from '../../domain/within.ts';

/** Where tips and priority fees are read: the block engine's tip floor is all that the API asks of it. */
export interface FeeMeter {
  readonly metric: Metric;
  readonly read: (source: FeeSource, result: 'answered' | 'failed') => void;
}

const FEE_SOURCES: Readonly<Record<FeeSource, string>> = {
  'the tip floor': 'block_engine',
  'recent priority fees': 'cluster',
};

/** Reads of tips and priority fees. */
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

/** What a pool of connections tells of itself. */
export interface PoolFigures {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Connections to the database, and who waits for one. */
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

/** What is read of the database for the page. */
export interface DatabaseMeterParts {
  /** A connection of the page's own: commits that wait for a standby take all others. */
  readonly db: Db;
  readonly now: () => Date;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
}

/** Longest wait of the page for the database, in ms: a bouncer without a free connection keeps a query waiting. */
const PATIENCE_MS = 2_000;

/** Ages of prices. A database that is away leaves them out: everything else on the page is wanted then above all. */
export function createPriceMeter({ db, now, logger }: DatabaseMeterParts): Metric {
  return new Gauge({
    name: 'slipway_api_price_age_seconds',
    help: 'Age of the newest price of each pair that launches can use; +Inf where there is none. Fixed prices do not age out',
    labelNames: ['mint', 'symbol', 'source'],
    registers: [],
    async collect() {
      this.reset();
      try {
        for (const { age, ...labels } of await within(PATIENCE_MS, priceAges(db, now()))) this.set(labels, age);
      } catch (error) {
        logger.warn({ err: error }, 'the ages of prices could not be read');
      }
    },
  });
}

/** Commits that a synchronous standby keeps waiting, which nothing ends. A database that is away leaves it out. */
export function createCommitMeter({ db, logger }: DatabaseMeterParts): Metric {
  return new Gauge({
    name: 'slipway_api_commit_wait_seconds',
    help: 'For how long the commit has waited that waits longest for the synchronous standby; 0 where none does',
    registers: [],
    async collect() {
      // Without labels a reset leaves a zero.
      this.remove();
      try {
        this.set((await within(PATIENCE_MS, waitingCommits(db))).longestMs / 1_000);
      } catch (error) {
        logger.warn({ err: error }, 'it could not be read whether commits wait for the standby');
      }
    },
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
    return { mint, symbol, source: priceSource, age };
  });
}
