import { CamelCasePlugin, type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { createPool } from '../../db/connect.ts';
import type { Database } from '../../db/schema/database.ts';
import { listTokens, TOKEN_SORTS, type TokenFilter } from '../../db/market/token-list.ts';

export interface ListQuery {
  readonly sql: string;
  parametersOf(page: number): unknown[];
}

const FILTERS: readonly Pick<TokenFilter, 'mode' | 'status'>[] = [{}, { mode: 'standard' }, { status: 'new' }];
const PAGE_SIZE = 25;

export const LIST_PATHS: readonly string[] = TOKEN_SORTS.flatMap((sort) =>
  FILTERS.map((filter) => new URLSearchParams({ sort, ...filter }).toString()),
);

export async function captureListQueries(databaseUrl: string): Promise<ReadonlyMap<string, ListQuery>> {
  const made: CompiledQuery[] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: createPool(databaseUrl, { maxConnections: 1 }) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: (event) => void made.push(event.query),
  });
  const queries = new Map<string, ListQuery>();
  for (const sort of TOKEN_SORTS) {
    for (const filter of FILTERS) {
      await listTokens(db, filter, sort, { page: 2, pageSize: PAGE_SIZE });
      queries.set(new URLSearchParams({ sort, ...filter }).toString(), toListQuery(made.pop()!));
    }
  }
  await db.destroy();
  return queries;
}

function toListQuery({ sql, parameters }: CompiledQuery): ListQuery {
  const filters = parameters.slice(0, -2);
  return { sql, parametersOf: (page) => [...filters, PAGE_SIZE + 1, (page - 1) * PAGE_SIZE] };
}
