import type { FastifyRequest } from 'fastify';
import type { RateLimits } from '../../config/rate-limits.ts';

/** What meters are told of a request by the parts that know it. Every value is one of a few: they become labels. */
export interface Observed {
  /** Whether a read's answer was in memory. */
  readonly read?: 'hit' | 'miss';
  /** The counter that refused the request. */
  readonly limitedBy?: keyof RateLimits;
  /** What a failure, or the submit of a transaction, came to. */
  readonly outcome?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    observed?: Observed;
  }
}

/** Tells the meters of a request; what was told before stays. */
export function observe(request: FastifyRequest, what: Observed): void {
  request.observed = { ...request.observed, ...what };
}
