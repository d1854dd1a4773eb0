import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { grantToApi } from '../../db/api-role.ts';
import { COMMITTED, readText, textOf } from '../../db/catalogue/catalogue-text.ts';
import { COMPARED_MAJORS } from '../../db/catalogue/live-schema.ts';
import { readCatalogue } from '../../db/catalogue/read-catalogue.ts';
import { connect } from '../../db/connect.ts';
import { migrateToLatest } from '../../db/migrate.ts';
import { API_ROLE } from '../setup/api-role.ts';
import { createTestDatabase } from '../setup/database.ts';
import { postgresOf, startMajorServer } from '../support/db/major-server.ts';

const DIRECTORY = join(import.meta.dirname, '../../.data/test');

const UPDATE = '"npm test -- test/db/catalogue.test.ts --update=true" writes it';

/** What an empty database has after all migrations, and what the role of the API adds. */
async function migratedCatalogues(url: string) {
  await migrateToLatest(url);
  const db = connect(url);
  const schema = await readCatalogue(db);
  await grantToApi(db, API_ROLE);
  const granted = await readCatalogue(db);
  await db.destroy();
  return { schema, apiRole: new Map([...granted].filter(([object]) => !schema.has(object))) };
}

describe('the committed catalogue', () => {
  it('is that of a freshly migrated database', async () => {
    const database = await createTestDatabase({ migrated: false });
    const { schema, apiRole } = await migratedCatalogues(database.url);
    await database.drop();
    await expect(textOf(schema), UPDATE).toMatchFileSnapshot(COMMITTED.schema);
    await expect(textOf(apiRole), UPDATE).toMatchFileSnapshot(COMMITTED.apiRole);
  });

  it('is read as it was written', () => {
    for (const path of Object.values(COMMITTED)) {
      const text = readFileSync(path, 'utf8');
      expect(textOf(readText(text))).toBe(text);
    }
  });

  // The project's own PostgreSQL is of the last one.
  it.for(COMPARED_MAJORS.slice(0, -1))(
    'is that of a database of PostgreSQL %i (skipped where npm and Debian have none)',
    async (major, { skip }) => {
      const binaries = await postgresOf(major);
      if ('missing' in binaries) return skip(`PostgreSQL ${major}: ${binaries.missing}`);
      const server = await startMajorServer(major, binaries, join(DIRECTORY, `postgres-${major}-${process.pid}`));
      const admin = connect(server.urlOf('postgres'));
      await sql`create role ${sql.id(API_ROLE)}`.execute(admin);
      await admin.destroy();
      const { schema, apiRole } = await migratedCatalogues(server.urlOf('postgres'));
      await server.stop();
      expect(textOf(schema)).toBe(readFileSync(COMMITTED.schema, 'utf8'));
      expect(textOf(apiRole)).toBe(readFileSync(COMMITTED.apiRole, 'utf8'));
    },
  );
});
