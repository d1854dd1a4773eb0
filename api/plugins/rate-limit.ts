import { type RateLimits } from '../../config/api.ts';
import { AppError } from '../../domain/errors.ts';
import { type ApiInstance } from '../instance.ts';
import { countedAs } from './client-address.ts';
import { RequestCounter } from './request-counter.ts';

/** A counter that requests share: all versioned endpoints without a limit of their own count on `api`. */
export type RateGroup = keyof RateLimits | 'none';

/** What is left of a client's limit after a request was counted. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Until the client's window ends, whole seconds, at least 1. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

export interface RateLimiter {
  /** Counts a request of an address on a group's counter. */
  take(group: keyof RateLimits, address: string, nowMs?: number): Quota;
}

const MINUTE_MS = 60_000;

/** Limits requests a minute, a counter for each group. An IPv6 client is its /64: one subscriber has all of its addresses. */
export function createRateLimiter(limits: RateLimits): RateLimiter {
  const counters = {
    api: new RequestCounter(MINUTE_MS),
    launchPrepare: new RequestCounter(MINUTE_MS),
    claimPrepare: new RequestCounter(MINUTE_MS),
    assetIndex: new RequestCounter(MINUTE_MS),
  };
  return {
    take: (group, address, nowMs = Date.now()) => {
      const { number, remainingMs } = counters[group].count(countedAs(address), nowMs);
      const limit = limits[group];
      const resetSeconds = Math.max(1, Math.ceil(remainingMs / 1_000));
      return { limit, remaining: Math.max(0, limit - number), resetSeconds, exceeded: number > limit };
    },
  };
}

/** Header that tells a client its quota. */
export const QUOTA_HEADER = 'ratelimit';

/** Its value, as draft-ietf-httpapi-ratelimit-headers-07 writes it: one header, because each costs a few percent of a 304. */
export function quotaText({ limit, remaining, resetSeconds }: Quota): string {
  return `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`;
}

/** Counts every request on the counter of its route, and refuses those beyond the limit. */
export function registerRateLimit(app: ApiInstance, limiter: RateLimiter): void {
  // Runs for unknown paths as well: guessing addresses must not be cheaper than asking for them.
  app.addHook('onRequest', async (request, reply) => {
    const group = request.routeOptions.config?.rateGroup ?? 'api';
    if (group === 'none') return;
    const quota = limiter.take(group, request.ip);
    void reply.header(QUOTA_HEADER, quotaText(quota));
    if (!quota.exceeded) return;
    throw new AppError('rate_limited', `more than ${quota.limit} requests in a minute; wait and try again`, {
      retryAfterSeconds: quota.resetSeconds,
    });
  });
}
