import { CompiledQuery, type DatabaseConnection, PostgresAdapter, PostgresDialect, PostgresDriver } from 'kysely';
import type { Pool } from 'pg';

/** Number of the migration lock: Kysely's own, so other migrators wait too. */
const MIGRATION_LOCK = '3853314791062309107';

/** Migrations may run longer, and wait for another's. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Takes lock and limits per transaction, not per session: a PgBouncer in transaction mode may give the session to
 * another client.
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

/** Waits for the lock at the start of each transaction, which then may run without limit. */
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

/** The transaction holds it instead. */
class AdapterWithoutLock extends PostgresAdapter {
  override acquireMigrationLock(): Promise<void> {
    return Promise.resolve();
  }

  override releaseMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
}
