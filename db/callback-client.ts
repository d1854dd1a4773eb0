import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { askSession, keptName } from './kept-plans.ts';

/**
 * Wraps the pool's connections. With the driver's own promises, rows of consecutive queries survive until a full
 * garbage collection: under load a page of tokens leaves 33 KB, and scavenges take ten times as long.
 */
export function withCallbacks(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => new CallbackClient(await pool.connect()),
    end: () => pool.end(),
  };
}

/** SQLSTATE of a statement that was cancelled, also by its time limit. */
const CANCELLED = '57014';

/** Names the statement that was cancelled: the driver's error does not. Parameters, which may be personal, stay out. */
function named(error: Error, statement: string): Error {
  if (error instanceof pg.DatabaseError && error.code === CANCELLED)
    error.message += `: ${statement.replaceAll(/\s+/g, ' ').trim().slice(0, 160)}`;
  return error;
}

class CallbackClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') throw new TypeError('this connection has no cursors');
    const name = keptName(text);
    return new Promise((resolve, reject) => {
      const run = (kept?: string) => {
        this.#client.query({ name: kept, text, values: [...parameters] }, (error: Error | null, result) => {
          if (error) reject(named(error, text));
          // The driver types the command as an open string.
          else resolve(result as PostgresQueryResult<R>);
        });
      };
      if (name === undefined) {
        run();
        return;
      }
      askSession(this.#client, (error, isSession) => {
        if (error) reject(error);
        else run(isSession ? name : undefined);
      });
    });
  }

  release(): void {
    this.#client.release();
  }
}
