import { CompiledQuery, type DatabaseConnection, PostgresAdapter, PostgresDialect, PostgresDriver } from 'kysely';
import type { Pool } from 'pg';

/** The number of Kysely's own lock, so that a migrator that takes that one is waited for too. */
const MIGRATION_LOCK = '3853314791062309107';

/** A migration may take longer than any query of the service, and waits as long as another process migrates. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/**
 * PostgreSQL as Kysely's migrator is to use it: its lock and its limits belong to the transaction, not to the session, which
 * a PgBouncer in transaction mode gives to somebody else between two statements.
 */
export class MigrationDialect extends PostgresDialect {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new LockingDriver({ pool: this.#pool });
  }

  override createAdapter(): PostgresAdapter {
    return new AdapterWithoutLock();
  }
}

/** Every transaction of it waits for all others, and then may last. */
class LockingDriver extends PostgresDriver {
  override async beginTransaction(...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>) {
    await super.beginTransaction(connection, settings);
    for (const limit of LIMITS) await run(connection, `set local ${limit} = 0`);
    await run(connection, `select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  }
}

async function run(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement));
}

/** The transaction has the lock. */
class AdapterWithoutLock extends PostgresAdapter {
  override acquireMigrationLock(): Promise<void> {
    return Promise.resolve();
  }

  override releaseMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
}
