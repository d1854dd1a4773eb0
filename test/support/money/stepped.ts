import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresPool, type PostgresPoolClient, type PostgresQueryResult, sql } from 'kysely';
import type pg from 'pg';
import { type Db, dbOn } from '../../../db/connect.ts';

/** A database of which every statement is announced before it is sent. */
export interface SteppedDb {
  readonly db: Db;
  /** Statements so far, `begin` and `commit` among them. */
  readonly statements: () => number;
  /** Backend of the connection that is in use; undefined before the first statement. */
  readonly backend: () => number | undefined;
}

/** Sends statements on a pool's connections; `before` is called with the number of each, from 0, and waited for. */
export function steppedDb(
  pool: pg.Pool,
  before: (statement: number) => Promise<void> = async () => undefined,
): SteppedDb {
  let count = 0;
  let backend: number | undefined;
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    backend = rows[0]?.pid;
    const query = async <R>(text: unknown, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> => {
      await before(count++);
      const result = await client.query(String(text), [...parameters]);
      return result as never;
    };
    return { query: query as PostgresPoolClient['query'], release: () => client.release() };
  };
  const stepped: PostgresPool = { connect, end: async () => undefined };
  return { db: dbOn(stepped), statements: () => count, backend: () => backend };
}

/** What came of two processes of which one ran between two statements of the other. */
export interface Interleaved<First, Second> {
  /** Before this statement of the first, the second ran until its end, or until it waited for a lock of the first. */
  readonly statement: number;
  readonly first: PromiseSettledResult<First>;
  readonly second: PromiseSettledResult<Second>;
}

/** Two processes that work on the same rows. */
export interface Rivals<Stage, First, Second> {
  /** Makes the rows; they are made anew for every run. */
  readonly stage: () => Promise<Stage>;
  readonly first: (db: Db, stage: Stage) => Promise<First>;
  readonly second: (db: Db, stage: Stage) => Promise<Second>;
  readonly judge: (stage: Stage, outcome: Interleaved<First, Second>) => Promise<void>;
}

/** Lets `second` in before each statement of `first`, one run for each of them. Answers how many runs there were. */
export async function betweenStatements<Stage, First, Second>(
  pool: pg.Pool,
  { stage: make, first, second, judge }: Rivals<Stage, First, Second>,
): Promise<number> {
  for (let statement = 0; ; statement++) {
    const stage = await make();
    let intruding: Promise<PromiseSettledResult<Second>> | undefined;
    const intruder = steppedDb(pool);
    const own = steppedDb(pool, async (number) => {
      if (number !== statement) return;
      intruding = settled(second(intruder.db, stage));
      await untilEndedOrBlocked(pool, intruding, intruder);
    });
    const outcome = await settled(first(own.db, stage));
    if (!intruding) return statement;
    await judge(stage, { statement, first: outcome, second: await intruding });
  }
}

async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([work]);
  return outcome;
}

async function untilEndedOrBlocked(pool: pg.Pool, work: Promise<unknown>, { backend }: SteppedDb): Promise<void> {
  let hasEnded = false;
  void work.then(() => (hasEnded = true));
  const db = dbOn(pool);
  while (!hasEnded) {
    const { rows } = await sql<{ blocked: boolean }>`
      select cardinality(pg_blocking_pids(${backend() ?? 0})) > 0 as blocked`.execute(db);
    if (rows[0]?.blocked) return;
    await sleep(1);
  }
}
