import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import pg from 'pg';
import { withCallbacks } from './callback-client.ts';
import type { Database } from './schema/database.ts';
import { exactTypes } from './value-parsers.ts';

export type Db = Kysely<Database>;

/** Options of one process's pool. ms; 0 disables a timeout. */
export interface ConnectOptions {
  /** In pg_stat_activity. */
  readonly applicationName?: string;
  readonly maxConnections?: number;
  /** For a free connection, or the server. */
  readonly connectTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly idleInTransactionTimeoutMs?: number;
  /** Already dropped by the pool. Default: a process warning. */
  readonly onIdleError?: (error: Error) => void;
}

/** Connects on the first query. Close it with `destroy()`. */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Db {
  return connectThrough(createPool(databaseUrl, options));
}

/** Connects through a pool that the caller monitors; `destroy()` ends it too. */
export function connectThrough(pool: pg.Pool): Db {
  return dbOn(withCallbacks(pool));
}

export function dbOn(pool: PostgresPool): Db {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    // JSON documents keep their keys.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

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
  // Without a listener a broken idle connection would end the process. Errors during shutdown are ignored.
  pool.on('error', (error) => {
    // The pool attaches the whole connection to its error: keep it out of logs.
    Reflect.deleteProperty(error, 'client');
    if (!pool.ending) onIdleError(error);
  });
  // Its query's caller handles the error.
  pool.on('connect', (client) => client.on('error', ignoreRepeat));
  return pool;
}

function ignoreRepeat(): void {}

export function transaction<T>(db: Db, fn: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
  return db.isTransaction ? fn(db as Transaction<Database>) : db.transaction().execute(fn);
}
