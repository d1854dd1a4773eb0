import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { connect, type ConnectOptions, type Db } from '../../../db/connect.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/database.ts';

/** Gives a test file a migrated database of its own; `db()` works inside tests and hooks. */
export function useDatabase(options: ConnectOptions = {}): { db: () => Db; url: () => string } {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = connect(database.url, { applicationName: 'test', maxConnections: 25, ...options });
    // Open the connections now: otherwise "concurrent" calls run one after the other, as each waits for its connection.
    await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.1)`.execute(db)));
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });
  return { db: () => db, url: () => database.url };
}
