import { createCache } from 'async-cache-dedupe';
import { sql } from 'kysely';
import type { Db } from '../connect.ts';
import { isExpanding, schemaGap, type SchemaGap, schemaProblem, SchemaMismatchError } from '../schema-gap.ts';
import { committedCatalogue } from './catalogue-text.ts';
import { type Difference, differencesOf } from './differences.ts';
import { readCatalogue } from './read-catalogue.ts';

/** Major versions of PostgreSQL whose printed definitions are those of the committed catalogue. */
export const COMPARED_MAJORS = [16, 17, 18] as const;

export interface SchemaReport {
  readonly gap: SchemaGap;
  /** Why no process of this release may run; null: it may. */
  readonly problem: string | null;
  /** Differences that break nothing. */
  readonly notes: readonly string[];
}

/** Compares migrations by name, then the live schema with that of this release. */
export async function schemaReport(db: Db): Promise<SchemaReport> {
  const gap = await schemaGap(db);
  const mismatch = schemaProblem(gap);
  if (mismatch !== null) return { gap, problem: mismatch, notes: [] };
  const differences = await differencesIn(db, gap);
  const breaking = differences.filter(({ breaks }) => breaks);
  const notes = differences.filter(({ breaks }) => !breaks).map(sentenceOf);
  if (breaking.length === 0) return { gap, problem: null, notes };
  const named = breaking.map(sentenceOf).join('; ');
  return { gap, problem: `the schema is not that of this release: ${named}`, notes };
}

/** A newer release that only added something, and an unknown PostgreSQL, may print other definitions. */
async function differencesIn(db: Db, { unknown }: SchemaGap): Promise<Difference[]> {
  const mayChange = unknown.length > 0 || !(await isComparedMajor(db));
  return differencesOf(await readCatalogue(db), committedCatalogue(), mayChange);
}

async function isComparedMajor(db: Db): Promise<boolean> {
  const { rows } = await sql<{ major: number }>`
    select current_setting('server_version_num')::integer / 10000 as major`.execute(db);
  return COMPARED_MAJORS.some((major) => major === rows[0]?.major);
}

function sentenceOf({ object, is }: Difference): string {
  return `${object} is ${is}`;
}

/**
 * Checks the schema before anything else is read. `warn` gets each difference that breaks nothing.
 * @throws SchemaMismatchError
 */
export async function assertSchemaKnown(db: Db, warn: (difference: string) => void): Promise<void> {
  const { problem, notes } = await schemaReport(db);
  if (problem !== null) throw new SchemaMismatchError(problem);
  notes.forEach(warn);
}

/** Seconds for which a comparison counts. */
const COMPARED_FOR_SECONDS = 60;

/**
 * Creates the check of a running process. A newer release may have removed what this one no longer reads: it goes on
 * until it is replaced, and only a start refuses.
 */
export function createSchemaCheck(db: Db): () => Promise<void> {
  const reports = createCache({ ttl: COMPARED_FOR_SECONDS, storage: { type: 'memory' } }).define('report', () =>
    schemaReport(db),
  );
  return async () => {
    const { gap, problem } = await reports.report();
    if (problem !== null && gap.unknown.every(isExpanding)) throw new SchemaMismatchError(problem);
  };
}
