import type { Metric } from 'prom-client';
import { refusedWrites } from '../../db/platform/refused-writes.ts';
import { waitingCommits } from '../../db/platform/waiting-commits.ts';
import type { ReadReplica } from '../../db/read-replica.ts';
import { createDatabaseMeters } from '../../observe/database-meters.ts';
import { createRpcMeter, type RpcMeter } from '../../observe/rpc-meter.ts';
import {
  createFeeMeter,
  createPoolMeter,
  createPriceMeter,
  createReplicaMeter,
  type DatabaseMeterParts,
  type FeeMeter,
  type PoolFigures,
} from './dependency-meters.ts';
import { createRequestMeters, type RequestMeters } from './request-meters.ts';

/** What the API's process counts before it is connected to anything. */
export interface ApiMeters {
  readonly requests: RequestMeters;
  readonly rpc: RpcMeter;
  readonly fees: FeeMeter;
}

/** Meters of one process of the API. */
export function createApiMeters(): ApiMeters {
  return {
    requests: createRequestMeters(),
    rpc: createRpcMeter('slipway_api_rpc_call_duration_seconds'),
    fees: createFeeMeter(),
  };
}

/** What the API's page is read of. */
export interface ApiMeterParts extends DatabaseMeterParts {
  readonly pool: PoolFigures;
  /** The standby that is read from; null where none is configured. */
  readonly replica: Pick<ReadReplica, 'problem'> | null;
}

/** Everything that Prometheus reads of the API, with what is asked at every scrape. */
export function apiMetrics(
  { requests, rpc, fees }: ApiMeters,
  { pool, replica, ...parts }: ApiMeterParts,
): readonly Metric[] {
  const { db, logger } = parts;
  const asked = { refusedWrites: () => refusedWrites(db), waitingCommits: () => waitingCommits(db) };
  const ofDatabase = [createPoolMeter(pool), createPriceMeter(parts), ...createDatabaseMeters(asked, logger)];
  const ofReplica = replica ? [createReplicaMeter(() => replica.problem())] : [];
  return [...requests.metrics, rpc.metric, fees.metric, ...ofDatabase, ...ofReplica];
}
