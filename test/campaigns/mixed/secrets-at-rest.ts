import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sql } from 'kysely';
import { loadKeys, type StackKeys } from '../../../dev/stack/keys.ts';
import { keyBytesOf, spellingsOf } from '../../support/platform/secrets.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';

/**
 * Searches every table, and every file of PostgreSQL, Temporal, the store, the chain and the logs, for the stack's
 * secrets: as text, hex, base64, base58 and raw bytes. Returns where one was found. The files that hold the stack's own
 * configuration are left out.
 */
export async function secretsAtRest({ db, layout, stack }: RealStack): Promise<string[]> {
  const keys = loadKeys(layout.keysFile, {});
  const texts = spellingsOf(keys);
  const places = [
    ...(await tablesWith(db, texts)).map((table) => `table ${table}`),
    ...filesWith(layout.data, [layout.keysFile, layout.stackFile], [...texts, ...rawKeys(keys)]),
  ];
  return [
    ...places.map((place) => `${place} holds a secret`),
    // A search that cannot find what is there proves nothing.
    ...((await tablesWith(db, [stack.treasury])).length > 0 ? [] : ['no table has the treasury']),
    ...(filesWith(layout.data, [], [keys.TREASURY_SECRET_KEY]).length > 0 ? [] : ['no file has the keys']),
  ];
}

function rawKeys(keys: StackKeys): Buffer[] {
  return keyBytesOf(keys).map((bytes) => Buffer.from(bytes));
}

async function tablesWith(db: RealStack['db'], texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname not in ('pg_catalog', 'information_schema') order by name`.execute(db);
  const patterns = texts.map((text) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ isThere: boolean }>`
      select exists (select from ${sql.raw(name)} r where r::text like any(${patterns})) as is_there`.execute(db);
    if (rows[0]?.isThere) found.push(name);
  }
  return found;
}

function filesWith(directory: string, except: readonly string[], needles: readonly (string | Buffer)[]): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !except.includes(path) && holds(path, needles))
    .map((path) => `file ${relative(directory, path)}`);
}

function holds(path: string, needles: readonly (string | Buffer)[]): boolean {
  const bytes = readIfThere(path);
  return needles.some((needle) => bytes.includes(needle));
}

/** PostgreSQL and Temporal remove files while they are listed. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
