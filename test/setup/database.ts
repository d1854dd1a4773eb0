import { randomBytes } from 'node:crypto';
import pg from 'pg';
import Type from 'typebox';
import { askService } from './ask-service.ts';
import { API_ROLE } from './api-role.ts';

const PostgresServiceSchema = Type.Object({ adminUrl: Type.String(), template: Type.String() });

/** A database of one test file's own. */
export type TestDatabase = {
  readonly url: string;
  /** Drops it, closing the connections that are still open. Optional: the whole server goes at the end of the run. */
  readonly drop: () => Promise<void>;
};

async function asAdmin(adminUrl: string, statement: (name: (identifier: string) => string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement((identifier) => client.escapeIdentifier(identifier)));
  } finally {
    await client.end();
  }
}

/**
 * Creates a database on the run's PostgreSQL (started on first use, about a second). It is a clone of the migrated template,
 * or empty with `{ migrated: false }`. Call it in `beforeAll`.
 */
export async function createTestDatabase({
  migrated = true,
}: { readonly migrated?: boolean } = {}): Promise<TestDatabase> {
  const { adminUrl, template } = await askService('/postgres', PostgresServiceSchema);
  const database = `test_${randomBytes(6).toString('hex')}`;
  const source = migrated ? template : 'template1';
  await asAdmin(adminUrl, (name) => `create database ${name(database)} template ${name(source)}`);
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return {
    url: url.href,
    drop: () => asAdmin(adminUrl, (name) => `drop database if exists ${name(database)} with (force)`),
  };
}

/** The same database as the API reaches it: by a role that can make proposals and cannot change what is paid. */
export function apiUrlOf(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  [url.username, url.password] = [API_ROLE, API_ROLE];
  return url.href;
}
