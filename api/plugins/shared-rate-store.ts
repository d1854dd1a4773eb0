import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyBaseLogger } from 'fastify';
import type { ApiConfig } from '../../config/api.ts';
import { connect, type Db } from '../../db/connect.ts';
import { countRequest } from '../../db/rate-counters.ts';
import { within } from '../../domain/within.ts';

/** Longest that a request waits to be counted, in ms. */
const PATIENCE_MS = 1_000;

/** How long nobody is counted after the database did not answer, in ms: an outage must not cost every request the wait. */
const PAUSE_MS = 1_000;

/** A count takes a fraction of a millisecond. */
const CONNECTIONS = 4;

/** A count that came too late, or was not asked for. */
class NotCountedError extends Error {
  constructor() {
    super('the shared rate limit does not answer; requests are not counted');
    this.name = 'NotCountedError';
  }
}

/** Where several processes count together, and what it takes to let go of it. */
export interface OpenRateStore {
  readonly store: FastifyRateLimitStoreCtor;
  close(): Promise<void>;
}

/**
 * The shared counters, where the configuration asks for them, on connections of their own: what waits for the other
 * connections of this process is no reason not to count.
 */
export function openRateStore(
  { rateLimitStore, database }: Pick<ApiConfig, 'rateLimitStore' | 'database'>,
  logger: Pick<FastifyBaseLogger, 'warn'>,
): OpenRateStore | null {
  if (rateLimitStore === 'memory') return null;
  const db = connect(database.url, {
    applicationName: 'slipway-api-limits',
    maxConnections: CONNECTIONS,
    connectTimeoutMs: PATIENCE_MS,
    statementTimeoutMs: PATIENCE_MS,
    onIdleError: (error) => {
      logger.warn({ err: error }, 'an idle database connection of the rate limit broke');
    },
  });
  return { store: sharedRateStore(db, logger), close: () => db.destroy() };
}

/** Counters in PostgreSQL, for several API processes behind one address. A failure is logged once for each pause. */
export function sharedRateStore(db: Db, logger: Pick<FastifyBaseLogger, 'warn'>): FastifyRateLimitStoreCtor {
  let pausedUntil = 0;
  const count = async (key: string, windowMs: number) => {
    if (Date.now() < pausedUntil) throw new NotCountedError();
    try {
      return await within(PATIENCE_MS, countRequest(db, key, windowMs), () => new NotCountedError());
    } catch (error) {
      pausedUntil = Date.now() + PAUSE_MS;
      logger.warn({ err: error }, 'requests are not counted: the shared rate limit does not answer');
      throw error;
    }
  };
  return class SharedRateStore implements FastifyRateLimitStore {
    incr(...[key, callback, windowMs]: Parameters<FastifyRateLimitStore['incr']>): void {
      count(key, windowMs).then(
        ({ current, remainingMs }) => {
          callback(null, { current, ttl: remainingMs });
        },
        (error: unknown) => {
          callback(error instanceof Error ? error : new Error(String(error)));
        },
      );
    }

    /** Every counter has its name in its keys, so that one store serves all. */
    child(): FastifyRateLimitStore {
      return this;
    }
  };
}
