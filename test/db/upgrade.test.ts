import { readFileSync } from 'node:fs';
import { Kysely, Migrator, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COMMITTED, textOf } from '../../db/catalogue/catalogue-text.ts';
import { schemaReport } from '../../db/catalogue/live-schema.ts';
import { readCatalogue } from '../../db/catalogue/read-catalogue.ts';
import { connect, createPool, type Db } from '../../db/connect.ts';
import { migrateToLatest } from '../../db/migrate.ts';
import { MigrationDialect } from '../../db/migration-dialect.ts';
import * as baseline from '../../db/migrations/0001-baseline.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';

let database: TestDatabase;
let db: Db;

/** A database of 0.1.0: `npm run check` holds its migration to the bytes of the release. */
beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  const pool = createPool(database.url, { maxConnections: 2 });
  const plain = new Kysely<unknown>({ dialect: new MigrationDialect(pool) });
  const provider = { getMigrations: () => Promise.resolve({ '0001-baseline': baseline }) };
  const { error } = await new Migrator({ db: plain, provider }).migrateToLatest();
  if (error !== undefined) throw new Error('the baseline failed', { cause: error });
  await plain.destroy();
  db = connect(database.url);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const SEALED = "repeat('a', 64)";

async function expectThisSchema(): Promise<void> {
  expect((await migrateToLatest(database.url))[0]).toBe('0002-expand-price-tables');
  expect(textOf(await readCatalogue(db))).toBe(readFileSync(COMMITTED.schema, 'utf8'));
  expect(await schemaReport(db)).toMatchObject({ problem: null, notes: [] });
}

it('a database of 0.1.0 gets the schema of this release, and seals the log that 0.1.0 wrote', async () => {
  await sql
    .raw(`insert into sealed_logs (number, root, receipt_count, wallet_count, wallet_root)
    values (1, ${SEALED}, 1, 1, ${SEALED})`)
    .execute(db);
  await expectThisSchema();
  await sql`update sealed_logs set seal_signature = 's', seal_slot = 1 where number = 1`.execute(db);
});

it('a database whose baseline had the later columns gets the schema of this release', async () => {
  await sql
    .raw(`
    alter table reward_snapshots add column other_accounts jsonb;
    alter table sealed_logs add column prices jsonb, drop constraint sealed_logs_content;
    alter table sealed_logs add constraint sealed_logs_content check (
      (receipt_count is null) = (wallet_count is null) and (receipt_count is null) = (wallet_root is null)
      and (receipt_count is null) = (prices is null)
    )`)
    .execute(db);
  await expectThisSchema();
});
