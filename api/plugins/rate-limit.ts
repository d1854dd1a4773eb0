import rateLimit from '@fastify/rate-limit';
import { type onRequestAsyncHookHandler } from 'fastify';
import { type RateLimits } from '../../config/api.ts';
import { AppError } from '../../domain/errors.ts';
import { type ApiInstance } from '../instance.ts';
import { RequestCounter } from './request-counter.ts';

/** A counter that requests share: all versioned endpoints without a limit of their own count on `api`. */
export type RateGroup = keyof RateLimits | 'none';

const MINUTE_MS = 60_000;

/**
 * Limits each client per group. The plugin's own per-route option would give every route a counter of its own, so one limiter
 * per group is made here and picked by the route. An IPv6 client is its /64: one subscriber has all of its addresses.
 *
 * @see https://github.com/fastify/fastify-rate-limit
 */
export async function registerRateLimit(app: ApiInstance, limits: RateLimits): Promise<void> {
  await app.register(rateLimit, { global: false, ipv6Subnet: 64, store: RequestCounter });
  const limiters = {
    api: limiter(app, limits.api),
    launchPrepare: limiter(app, limits.launchPrepare),
    claimPrepare: limiter(app, limits.claimPrepare),
    assetIndex: limiter(app, limits.assetIndex),
  };
  // Runs for unknown paths as well: guessing addresses must not be cheaper than asking for them.
  app.addHook('onRequest', async function limit(request, reply) {
    const group = request.routeOptions.config?.rateGroup ?? 'api';
    if (group !== 'none') await limiters[group].call(app, request, reply);
  });
}

function limiter(app: ApiInstance, max: number): onRequestAsyncHookHandler {
  return app.rateLimit({
    max,
    timeWindow: MINUTE_MS,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate_limited', `more than ${max} requests in a minute; wait and try again`, {
        retryAfterSeconds: Math.max(1, Math.ceil(ttl / 1000)),
      }),
  });
}
