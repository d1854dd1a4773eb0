import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Histogram, type Metric } from 'prom-client';
import type { ApiInstance } from '../instance.ts';
import { createPromiseMeter } from './promise-meter.ts';

export interface RequestMeters {
  readonly metrics: readonly Metric[];
  readonly count: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** Operations that lead to a signature, whose outcomes are counted. */
const OPERATIONS = ['prepareLaunch', 'submitLaunch', 'prepareClaim', 'submitClaim'] as const;

/** Bucket bounds in seconds, from reads in memory up to a submit that waits. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Label for paths without a route: guessed paths add no labels. */
const UNKNOWN = 'unknown';

/** Labels are route patterns, methods, fixed words; never request content. */
export function createRequestMeters(): RequestMeters {
  const parts = [durations(), reads(), refusals(), outcomes(), createPromiseMeter()];
  return {
    metrics: parts.map(({ metric }) => metric),
    count: (request, reply) => {
      for (const { count } of parts) count(request, reply);
    },
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the deployment, no client's request. */
    isProbe?: boolean;
    /** It lasts for minutes, which says nothing about how fast responses are. */
    isStream?: boolean;
  }
}

/** Skips probes: their 503 repeats `slipway_dependency_up`, and no client sees it. Skips streams that were opened. */
export function registerRequestMeters(app: ApiInstance, { count }: RequestMeters): void {
  app.addHook('onResponse', async (request, reply) => {
    const { isProbe, isStream } = request.routeOptions.config;
    if (isProbe !== true && !(isStream === true && reply.statusCode === 200)) count(request, reply);
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

/** The wildcard route is the CORS plugin's. */
function routeOf({ method, routeOptions }: FastifyRequest): { readonly method: string; readonly route: string } {
  const { url = '*' } = routeOptions;
  return url === '*' ? { method: UNKNOWN, route: UNKNOWN } : { method, route: url };
}
