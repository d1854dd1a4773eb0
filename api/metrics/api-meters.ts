import type { Metric } from 'prom-client';
import { createRpcMeter, type RpcMeter } from '../../observe/rpc-meter.ts';
import {
  createFeeMeter,
  createPoolMeter,
  createPriceMeter,
  type FeeMeter,
  type PoolFigures,
  type PriceMeterParts,
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

/** Everything that Prometheus reads of the API, with what is asked at every scrape. */
export function apiMetrics(
  { requests, rpc, fees }: ApiMeters,
  { pool, ...parts }: PriceMeterParts & { readonly pool: PoolFigures },
): readonly Metric[] {
  return [...requests.metrics, rpc.metric, fees.metric, createPoolMeter(pool), createPriceMeter(parts)];
}
