import { connect, type Db } from '../db/connect.ts';
import { databaseUrl } from './service-addresses.ts';
import type { OpsIo } from './io.ts';

export async function withDatabase<T>(io: OpsIo, use: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(databaseUrl(io), { applicationName: 'slipway-ops', maxConnections: 2 });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}
