import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Where every file is a migration, and its name the migration's. */
export const MIGRATIONS = join(import.meta.dirname, 'migrations');

/**
 * A migration of such a name only adds what code without it does not look at: that code may run beside it, so that an upgrade
 * needs no stop and can be taken back. What takes something away has another name and comes in a later release.
 */
const EXPANDS = /^\d{4}-expand-/;

/** In what a database differs from the schema that this code was written for. */
export interface SchemaGap {
  /** Migrations that have not run. */
  readonly lacking: readonly string[];
  /** Migrations that ran and that this code does not know. */
  readonly unknown: readonly string[];
}

/** This code must not run on the schema of this database; waiting does not mend it, a migration or another release does. */
export class SchemaMismatchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaMismatchError';
  }
}

/** Compares the migrations that ran on a database with those of this code. */
export async function schemaGap(db: Db, migrations = MIGRATIONS): Promise<SchemaGap> {
  const [known, ran] = await Promise.all([knownMigrations(migrations), ranMigrations(db)]);
  return {
    lacking: known.filter((name) => !ran.includes(name)),
    unknown: ran.filter((name) => !known.includes(name)),
  };
}

/** Why this code must not run on the schema; null where it may: all its migrations ran, and others only added something. */
export function schemaProblem({ lacking, unknown }: SchemaGap): string | null {
  if (lacking.length > 0) {
    return `the database lacks ${listed(lacking)}; run "node db/migrate.ts up" of this release first`;
  }
  const changing = unknown.filter((name) => !isExpanding(name));
  if (changing.length === 0) return null;
  return `the database is of a newer release: this one does not know ${listed(changing)}; start the newer one`;
}

/** Throws a SchemaMismatchError unless this code may run on the database. Every process asks before it reads anything else. */
export async function assertSchemaKnown(db: Db): Promise<void> {
  const problem = schemaProblem(await schemaGap(db));
  if (problem !== null) throw new SchemaMismatchError(problem);
}

/** True for a migration that code without it can live with. */
export function isExpanding(name: string): boolean {
  return EXPANDS.test(name);
}

function listed(names: readonly string[]): string {
  return `${names.length === 1 ? 'migration' : 'migrations'} ${names.join(', ')}`;
}

async function knownMigrations(directory: string): Promise<string[]> {
  const files = await readdir(directory);
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'))
    .sort();
}

/** Kysely's own record; a database that was never migrated has none. */
async function ranMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('kysely_migration') is not null as found`.execute(
    db,
  );
  if (rows[0]?.found !== true) return [];
  const ran = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return ran.rows.map(({ name }) => name);
}
