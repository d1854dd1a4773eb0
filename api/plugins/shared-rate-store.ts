import type { FastifyBaseLogger } from 'fastify';
import type { ApiConfig } from '../../config/api.ts';
import { connect, type Db } from '../../db/connect.ts';
import { countRequest, type Counted } from '../../db/rate-counters.ts';
import { within } from '../../domain/within.ts';

/** Longest wait for a count, ms. */
const PATIENCE_MS = 1_000;

/** Pause after a database failure, ms: an outage must not delay every request. */
const PAUSE_MS = 1_000;

/** A count takes a fraction of a millisecond. */
const CONNECTIONS = 4;

class NotCountedError extends Error {
  constructor() {
    super('the shared rate limit does not answer; requests are not counted');
    this.name = 'NotCountedError';
  }
}

export interface RateStore {
  /** Counts `times` requests by one statement. Rejects while the database does not answer. */
  count(key: string, windowMs: number, times: number): Promise<Counted>;
}

export interface OpenRateStore extends RateStore {
  close(): Promise<void>;
}

/** Opens the store on its own connections: other work must not delay counting. */
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
  return { ...sharedRateStore(db, logger), close: () => db.destroy() };
}

/** Counts for several API processes. Logs a failure once per pause. */
function sharedRateStore(db: Db, logger: Pick<FastifyBaseLogger, 'warn'>): RateStore {
  let pausedUntil = 0;
  return {
    async count(key, windowMs, times) {
      if (Date.now() < pausedUntil) throw new NotCountedError();
      try {
        return await within(PATIENCE_MS, countRequest(db, key, windowMs, times), () => new NotCountedError());
      } catch (error) {
        pausedUntil = Date.now() + PAUSE_MS;
        logger.warn({ err: error }, 'requests are not counted: the shared rate limit does not answer');
        throw error;
      }
    },
  };
}
