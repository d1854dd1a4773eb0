import rateLimit, { type FastifyRateLimitStoreCtor, type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyReply } from 'fastify';
import type { RateLimits } from '../../config/rate-limits.ts';
import { AppError } from '../../domain/errors.ts';
import { clientOf } from '../client-address.ts';
import type { ApiInstance } from '../instance.ts';
import { observe } from '../metrics/observed.ts';

/** A counter that requests share: all versioned endpoints without a limit of their own count on `api`. */
export type RateGroup = keyof RateLimits | 'none';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which counter a request to this endpoint counts on; `api` when absent, `none` for no limit. */
    rateGroup?: RateGroup;
  }
  interface FastifyInstance {
    /** Counts a request on a counter and tells the client where it stands. Rejects with `rate_limited` beyond the limit. */
    countRequest(request: FastifyRequest, reply: FastifyReply, group: RateGroup): Promise<void>;
  }
}

/** Headers that say where a client stands: its limit, what is left of it, and when it starts anew (Unix time, seconds). */
export const RATE_HEADERS = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;

const MINUTE_MS = 60_000;

/** Most clients remembered at once on each counter in memory; the one that asked longest ago is forgotten first. */
const REMEMBERED_CLIENTS = 50_000;

/** What the plugin's counters answer. */
type Count = Awaited<ReturnType<ReturnType<ApiInstance['createRateLimit']>>>;

/**
 * Counts every request on the counter of its route before its body is read, and refuses those beyond the limit; requests for
 * unknown paths too: guessing addresses must not be cheaper than asking for them. A store that does not answer lets requests
 * pass: the limits are for fairness, what money rests on is limited in the database.
 *
 * @see https://github.com/fastify/fastify-rate-limit
 */
export async function registerRateLimit(
  app: ApiInstance,
  limits: RateLimits,
  store: FastifyRateLimitStoreCtor | undefined,
): Promise<void> {
  await app.register(rateLimit, { global: false, skipOnError: true, timeWindow: MINUTE_MS, ...(store && { store }) });
  const counters = countersOf(app, limits);
  app.decorate('countRequest', async (request, reply, group) => {
    if (group === 'none') return;
    const count = await counters[group](request);
    if (!count.isAllowed && count.isExceeded) observe(request, { limitedBy: group });
    answerCount(reply, count);
  });
  app.addHook('onRequest', async (request, reply) =>
    app.countRequest(request, reply, request.routeOptions.config?.rateGroup ?? 'api'),
  );
}

/** The plugin's route option gives each route a counter of its own; these are shared by all routes of a group. */
function countersOf(app: ApiInstance, limits: RateLimits) {
  const counter = (group: keyof RateLimits) => {
    const options: RateLimitOptions = {
      max: limits[group],
      cache: REMEMBERED_CLIENTS,
      keyGenerator: ({ ip }) => `${group} ${clientOf(ip)}`,
    };
    return app.createRateLimit(options);
  };
  return {
    api: counter('api'),
    launchPrepare: counter('launchPrepare'),
    claimPrepare: counter('claimPrepare'),
    assetIndex: counter('assetIndex'),
  };
}

function answerCount(reply: FastifyReply, count: Count): void {
  if (count.isAllowed) return;
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
