import type { FastifyRequest } from 'fastify';
import type { RateLimits } from '../../config/rate-limits.ts';

/** Facts about a request from small sets: they become labels. */
export interface Observed {
  readonly read?: 'hit' | 'miss';
  /** Refused the request. */
  readonly limitedBy?: keyof RateLimits;
  /** Of a failure, or a submit. */
  readonly outcome?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    observed?: Observed;
  }
}

export function observe(request: FastifyRequest, what: Observed): void {
  request.observed = { ...request.observed, ...what };
}
