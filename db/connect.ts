import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import pg from 'pg';
import { withCallbacks } from './callback-client.ts';
import type { Database } from './schema/database.ts';
import { exactTypes } from './value-parsers.ts';

/** A pool or a transaction: every function of this folder that reads or writes takes either. */
export type Db = Kysely<Database>;

/** Limits of one process's pool. Times in ms; 0 turns a timeout off. */
export interface ConnectOptions {
  /** Shown in pg_stat_activity, so that an operator sees whose connection it is. */
  readonly applicationName?: string;
  readonly maxConnections?: number;
  /** Wait for a free connection, or for the server to accept one. */
  readonly connectTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly idleInTransactionTimeoutMs?: number;
  /** Told when an idle connection broke; the pool has already dropped it. Without it the process emits a warning. */
  readonly onIdleError?: (error: Error) => void;
}

/** Opens a pool on `databaseUrl`. No connection is made before the first query. End it with `destroy()`. */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Db {
  return connectThrough(createPool(databaseUrl, options));
}

/** The same on a pool that was made before, by who wants to watch it. `destroy()` ends the pool too. */
export function connectThrough(pool: pg.Pool): Db {
  return dbOn(withCallbacks(pool));
}

/** The same on whatever hands out connections. */
export function dbOn(pool: PostgresPool): Db {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    // JSON documents keep the keys they were written with.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** The pool under `connect`, for what needs the driver itself. */
export function createPool(databaseUrl: string, options: ConnectOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: options.applicationName ?? 'slipway',
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    statement_timeout: options.statementTimeoutMs ?? 15_000,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 30_000,
    keepAlive: true,
    types: exactTypes,
  });
  const onIdleError = options.onIdleError ?? ((error: Error) => process.emitWarning(error));
  // Without a listener a broken idle connection would end the process. One that breaks while it is closed anyway is no news.
  pool.on('error', (error) => {
    // The pool hangs the whole connection on its error, which no log should have.
    Reflect.deleteProperty(error, 'client');
    if (!pool.ending) onIdleError(error);
  });
  // The same for a connection in use: the driver emits the error besides failing the query, which is where it is handled.
  pool.on('connect', (client) => client.on('error', ignoreRepeat));
  return pool;
}

function ignoreRepeat(): void {}

/** Runs `fn` in one database transaction; inside a transaction it joins that one. */
export function transaction<T>(db: Db, fn: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
  return db.isTransaction ? fn(db as Transaction<Database>) : db.transaction().execute(fn);
}
