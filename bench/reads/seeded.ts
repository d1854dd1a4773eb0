import { connect, type Db } from '../../db/connect.ts';
import { migrateToLatest } from '../../db/migrate.ts';
import { launchTerms } from '../../test/support/launch/launch-rows.ts';
import { type Scale, seedScale } from './scale-seed.ts';

export async function openSeeded(databaseUrl: string, scale: Omit<Scale, 'terms'>): Promise<Db> {
  await migrateToLatest(databaseUrl);
  const db = connect(databaseUrl, { statementTimeoutMs: 0 });
  await seedScale(db, { ...scale, terms: launchTerms() });
  return db;
}
