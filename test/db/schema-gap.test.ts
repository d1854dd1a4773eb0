import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertSchemaKnown } from '../../db/catalogue/live-schema.ts';
import { connect, type Db } from '../../db/connect.ts';
import { migrateToLatest } from '../../db/migrate.ts';
import { schemaGap, SchemaMismatchError } from '../../db/schema-gap.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(() => sql`delete from kysely_migration where name > '1000'`.execute(db));

const ran = (name: string) => sql`insert into kysely_migration values (${name}, now()::text)`.execute(db);

describe('a process and the schema of its database', () => {
  it('fit where exactly the known migrations ran', async () => {
    expect(await schemaGap(db)).toEqual({ lacking: [], unknown: [] });
    await expect(assertSchemaKnown(db, () => undefined)).resolves.toBeUndefined();
  });

  it('do not fit where nothing was migrated, and the message says what to run', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const fresh = connect(empty.url);
    await expect(assertSchemaKnown(fresh, () => undefined)).rejects.toThrow(
      /lacks migrations 0001-baseline, .*; run "npm run migrate -- up"/,
    );
    await fresh.destroy();
    await empty.drop();
  });

  it('do not fit where a newer release has changed something', async () => {
    await ran('9001-contract-amounts');
    await expect(assertSchemaKnown(db, () => undefined)).rejects.toThrow(SchemaMismatchError);
    await expect(assertSchemaKnown(db, () => undefined)).rejects.toThrow(
      'does not know migration 9001-contract-amounts',
    );
  });

  it('fit where a newer release has only added something, so that it can be taken back', async () => {
    await ran('9001-expand-amounts');
    await expect(assertSchemaKnown(db, () => undefined)).resolves.toBeUndefined();
    expect(await migrateToLatest(database.url)).toEqual([]);
  });
});
