import { CompiledQuery } from 'kysely';
import type { Db } from './connect.ts';

/** Runs text that was written for PostgreSQL: to build the query each time would double the cost of what is read most. */
export async function runText<Row>(db: Db, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  const { rows } = await db.withoutPlugins().executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}
