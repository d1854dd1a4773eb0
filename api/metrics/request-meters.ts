import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Histogram, type Metric } from 'prom-client';
import type { ApiInstance } from '../instance.ts';

/** Counts requests, and holds what Prometheus reads of them. */
export interface RequestMeters {
  readonly metrics: readonly Metric[];
  readonly count: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** Endpoints whose outcomes are counted one by one: those that lead to a signature, by their names in the document. */
const OPERATIONS = ['prepareLaunch', 'submitLaunch', 'prepareClaim', 'submitClaim'] as const;

/** From an answer kept in memory to a submit that waits for its launch, in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Label of every path that is no route's, whoever guesses them: labels must stay few. */
const UNKNOWN = 'unknown';

/** Counts for one process. Labels are patterns of routes, methods they have, and words of ours; never what was sent. */
export function createRequestMeters(): RequestMeters {
  const parts = [durations(), reads(), refusals(), outcomes()];
  return {
    metrics: parts.map(({ metric }) => metric),
    count: (request, reply) => {
      for (const { count } of parts) count(request, reply);
    },
  };
}

/** Counts every request that was routed, when its answer is sent or its client has gone. */
export function registerRequestMeters(app: ApiInstance, { count }: RequestMeters): void {
  app.addHook('onResponse', async (request, reply) => {
    count(request, reply);
  });
}

interface RequestMeter extends Pick<RequestMeters, 'count'> {
  readonly metric: Metric;
}

function durations(): RequestMeter {
  const metric = new Histogram({
    name: 'slipway_api_request_duration_seconds',
    help: 'Requests by route and class of status, with how long their answers took',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers: [],
  });
  return {
    metric,
    count: (request, reply) => {
      const status = `${Math.floor(reply.statusCode / 100)}xx`;
      metric.observe({ ...routeOf(request), status }, reply.elapsedTime / 1_000);
    },
  };
}

function reads(): RequestMeter {
  const metric = new Counter({
    name: 'slipway_api_cached_reads_total',
    help: 'Reads that this process keeps for a while, by whether their answer was in memory',
    labelNames: ['route', 'result'],
    registers: [],
  });
  return {
    metric,
    count: (request) => {
      const result = request.observed?.read;
      if (result) metric.inc({ route: routeOf(request).route, result });
    },
  };
}

function refusals(): RequestMeter {
  const metric = new Counter({
    name: 'slipway_api_rate_limited_total',
    help: 'Requests refused with 429, by the counter that was full; unpaidLaunches are those of a wallet or an address',
    labelNames: ['group'],
    registers: [],
  });
  return {
    metric,
    count: (request, { statusCode }) => {
      if (statusCode === 429) metric.inc({ group: request.observed?.limitedBy ?? 'unpaidLaunches' });
    },
  };
}

function outcomes(): RequestMeter {
  const metric = new Counter({
    name: 'slipway_api_outcomes_total',
    help: 'Prepares and submits by what they came to: an error code, what became of what was submitted, or ok',
    labelNames: ['operation', 'outcome'],
    registers: [],
  });
  return {
    metric,
    count: (request) => {
      const operation = OPERATIONS.find((name) => name === request.routeOptions.schema?.operationId);
      if (operation) metric.inc({ operation, outcome: request.observed?.outcome ?? 'ok' });
    },
  };
}

/** A wildcard is the CORS plugin's, for any path. */
function routeOf({ method, routeOptions }: FastifyRequest): { readonly method: string; readonly route: string } {
  const { url = '*' } = routeOptions;
  return url === '*' ? { method: UNKNOWN, route: UNKNOWN } : { method, route: url };
}
