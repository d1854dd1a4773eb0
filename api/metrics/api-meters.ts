import type { Metric } from 'prom-client';
import { databaseQuestions } from '../../db/platform/database-questions.ts';
import type { ReadReplica } from '../../db/read-replica.ts';
import { createDatabaseMeters } from '../../observe/database-meters.ts';
import { createDependencyMeter, type Dependency } from '../../observe/dependency-meter.ts';
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

export interface ApiMeters {
  readonly requests: RequestMeters;
  readonly rpc: RpcMeter;
  readonly fees: FeeMeter;
}

export function createApiMeters(): ApiMeters {
  return {
    requests: createRequestMeters(),
    rpc: createRpcMeter('slipway_api_rpc_call_duration_seconds'),
    fees: createFeeMeter(),
  };
}

export interface ApiMeterParts extends DatabaseMeterParts {
  readonly pool: PoolFigures;
  /** Null without a standby. */
  readonly replica: Pick<ReadReplica, 'problem'> | null;
  readonly dependencies: readonly Dependency[];
}

export function apiMetrics(
  { requests, rpc, fees }: ApiMeters,
  { pool, replica, dependencies, ...parts }: ApiMeterParts,
): readonly Metric[] {
  const { db, logger } = parts;
  const ofDatabase = [
    createPoolMeter(pool),
    createPriceMeter(parts),
    ...createDatabaseMeters(databaseQuestions(db), logger),
    createDependencyMeter(dependencies, logger),
  ];
  const ofReplica = replica ? [createReplicaMeter(() => replica.problem())] : [];
  return [...requests.metrics, rpc.metric, fees.metric, ...ofDatabase, ...ofReplica];
}
