import { connect, type Db } from '../db/connect.ts';
import { databaseUrl } from './service-addresses.ts';
import { classifyDatabaseError, isServerError } from '../db/errors.ts';
import { OpsError, type OpsIo } from './io.ts';

export async function withDatabase<T>(io: OpsIo, use: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(databaseUrl(io), { applicationName: 'slipway-ops', maxConnections: 2 });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/** As {@link withDatabase}; null where the database does not answer, which has a line of its own. */
export async function withDatabaseIfThere<T>(io: OpsIo, use: (db: Db) => Promise<T>): Promise<T | null> {
  try {
    return await withDatabase(io, use);
  } catch (error) {
    if (error instanceof OpsError || classifyDatabaseError(error) === 'connection' || isServerError(error)) return null;
    throw error;
  }
}
