import type { Transaction } from 'kysely';
import { type Db, transaction } from '../../../db/connect.ts';
import { classifyDatabaseError } from '../../../db/errors.ts';
import type { Database } from '../../../db/schema/database.ts';

/**
 * Changes the database as a restore would, in one transaction. A restore has no writers beside it; here the service
 * goes on and takes its locks in another order, so a deadlock is tried again.
 */
export async function restored(db: Db, change: (tx: Transaction<Database>) => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await transaction(db, change);
    } catch (error) {
      if (db.isTransaction || classifyDatabaseError(error) !== 'contention') throw error;
    }
  }
}
