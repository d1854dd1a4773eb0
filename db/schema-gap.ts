import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Folder of the migrations; it contains nothing else. */
export const MIGRATIONS = join(import.meta.dirname, 'migrations');

/**
 * Migrations that only add what older code ignores: it may run beside it, so an upgrade needs no stop and can be
 * rolled back. Removals have another name and a later release.
 */
const EXPANDS = /^\d{4}-expand-/;

export interface SchemaGap {
  /** Have not run. */
  readonly lacking: readonly string[];
  readonly unknown: readonly string[];
}

/** The schema does not fit: only a migration or another release helps. */
export class SchemaMismatchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaMismatchError';
  }
}

export async function schemaGap(db: Db, migrations = MIGRATIONS): Promise<SchemaGap> {
  const [known, ran] = await Promise.all([knownMigrations(migrations), ranMigrations(db)]);
  return {
    lacking: known.filter((name) => !ran.includes(name)),
    unknown: ran.filter((name) => !known.includes(name)),
  };
}

/** Null if all ran and unknown ones only add. */
export function schemaProblem({ lacking, unknown }: SchemaGap): string | null {
  if (lacking.length > 0) {
    return `the database lacks ${listed(lacking)}; run "npm run migrate -- up" of this release first`;
  }
  const changing = unknown.filter((name) => !isExpanding(name));
  if (changing.length === 0) return null;
  return `the database is of a newer release: this one does not know ${listed(changing)}; start the newer one`;
}

/** True if older code tolerates the migration. */
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

/** A database that was never migrated lacks Kysely's table. */
async function ranMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('kysely_migration') is not null as found`.execute(
    db,
  );
  if (rows[0]?.found !== true) return [];
  const ran = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return ran.rows.map(({ name }) => name);
}
