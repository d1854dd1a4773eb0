import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimits, RateLimitsConfig } from '../../config/rate-limits.ts';
import type { Counted } from '../../db/rate-counters.ts';
import { AppError } from '../../domain/errors.ts';
import { clientNetworkOf, clientOf } from '../client-address.ts';
import type { ApiInstance } from '../instance.ts';
import { observe } from '../metrics/observed.ts';
import { peerAddressOf } from '../peer-address.ts';
import { type KnownPaths, pathOf } from './known-methods.ts';
import type { RateStore } from './shared-rate-store.ts';

/** Endpoints without their own count on `api`. */
export type RateGroup = keyof RateLimits | 'none';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default `api`; `none`: no limit. */
    rateGroup?: RateGroup;
  }
  interface FastifyInstance {
    /** Counts `times` requests, default one; sets the rate headers. Rejects with `rate_limited`. */
    countRequest(request: FastifyRequest, reply: FastifyReply, group: RateGroup, times?: number): Promise<void>;
  }
}

/** Limit, rest, and reset (Unix seconds). */
export const RATE_HEADERS = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;

const MINUTE_MS = 60_000;

/** Clients remembered per counter in memory; the least recent is dropped. */
const REMEMBERED_CLIENTS = 50_000;

interface Count {
  readonly max: number;
  readonly remaining: number;
  /** ms until the window ends. */
  readonly ttl: number;
  readonly isExceeded: boolean;
}

type Counter = (request: FastifyRequest, times: number) => Promise<Count>;

/**
 * Unknown paths count: guessing must not be cheaper. A preflight of a known path does not: the browser sends it, not the
 * client, and would hide a refusal from the page. If the store fails, requests pass: these limits are for
 * fairness; the database enforces those that protect money.
 *
 * @see https://github.com/fastify/fastify-rate-limit
 */
export async function registerRateLimit(
  app: ApiInstance,
  limits: RateLimitsConfig,
  store: RateStore | undefined,
  paths: KnownPaths,
): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: MINUTE_MS });
  const counters = countersOf(limits, store === undefined ? inMemory(app) : shared(store));
  app.decorate('countRequest', async (request, reply, group, times = 1) => {
    if (group === 'none') return;
    const { ofClient, ofNetwork } = counters[group];
    const own = await ofClient(request, times);
    // Refused requests do not count against neighbours.
    const asksNetwork = !own.isExceeded && clientNetworkOf(peerAddressOf(request)) !== null;
    const network = asksNetwork ? await ofNetwork(request, times) : own;
    const count = network.isExceeded ? network : own;
    if (count.isExceeded) observe(request, { limitedBy: group });
    answerCount(reply, count);
  });
  app.addHook('onRequest', async (request, reply) => {
    if (isPreflight(request) && paths.isKnown(pathOf(request))) return;
    await app.countRequest(request, reply, request.routeOptions.config?.rateGroup ?? 'api');
  });
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}

type CounterOf = (max: number, keyOf: (request: FastifyRequest) => string) => Counter;

/** The plugin's option makes a counter per route; these are shared by a group. */
function countersOf(limits: RateLimitsConfig, create: CounterOf) {
  const counterOf = (group: keyof RateLimits, factor: number, keyOf: (ip: string) => string) =>
    create(factor * limits[group], (request) => `${group} ${keyOf(peerAddressOf(request))}`);
  const counter = (group: keyof RateLimits) => ({
    ofClient: counterOf(group, 1, clientOf),
    ofNetwork: counterOf(group, limits.networkFactor, (ip) => clientNetworkOf(ip) ?? ip),
  });
  return {
    api: counter('api'),
    launchPrepare: counter('launchPrepare'),
    claimPrepare: counter('claimPrepare'),
    assetIndex: counter('assetIndex'),
  };
}

function inMemory(app: ApiInstance): CounterOf {
  return (max, keyGenerator) => {
    const options: RateLimitOptions = { max, cache: REMEMBERED_CLIENTS, keyGenerator };
    const countOne = app.createRateLimit(options);
    return async (request, times) => {
      for (let left = times; ; left -= 1) {
        const count = await countOne(request);
        if (count.isAllowed) throw new Error(`the rate limit of ${count.key} has exceptions, and none was configured`);
        if (left <= 1 || count.isExceeded) return count;
      }
    };
  };
}

/** One statement a count, whatever its `times`. */
function shared(store: RateStore): CounterOf {
  return (max, keyOf) => async (request, times) => {
    // The store logs its failures.
    const { current, remainingMs } = await store.count(keyOf(request), MINUTE_MS, times).catch(() => NOT_COUNTED);
    return { max, remaining: Math.max(0, max - current), ttl: remainingMs, isExceeded: current > max };
  };
}

const NOT_COUNTED: Counted = { current: 0, remainingMs: 0 };

function answerCount(reply: FastifyReply, count: Count): void {
  const { max, remaining, ttl, isExceeded } = count;
  void reply.headers({
    [RATE_HEADERS.limit]: max,
    [RATE_HEADERS.remaining]: remaining,
    [RATE_HEADERS.reset]: Math.ceil((Date.now() + ttl) / 1_000),
  });
  if (!isExceeded) return;
  throw new AppError('rate_limited', `more than ${max} requests in a minute; wait and try again`, {
    retryAfterSeconds: Math.max(1, Math.ceil(ttl / 1_000)),
  });
}
