import { CamelCasePlugin, type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { createPool, type Db } from '../../../../db/connect.ts';
import type { Database } from '../../../../db/schema/database.ts';

const PlansSchema = Type.Array(
  Type.Object({
    'QUERY PLAN': Type.Array(
      Type.Object({ Plan: Type.Object({ 'Shared Hit Blocks': Type.Number(), 'Shared Read Blocks': Type.Number() }) }),
    ),
  }),
);

export interface BufferMeter {
  readonly db: Db;
  /** Buffers that the queries of `read` touch, as PostgreSQL counts them; a query that writes is run once and not counted. */
  readonly buffersOf: (read: (db: Db) => Promise<unknown>) => Promise<number>;
}

/** Connects to the database of this URL; the caller destroys `db`. */
export function createBufferMeter(url: string): BufferMeter {
  const made: CompiledQuery[] = [];
  const pool = createPool(url, { statementTimeoutMs: 0 });
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: (event) => void (event.level === 'query' && made.push(event.query)),
  });
  const buffers = async ({ sql, parameters }: CompiledQuery): Promise<number> => {
    const { rows } = await pool.query(`explain (analyze, buffers, format json) ${sql}`, [...parameters]);
    const plans = Value.Parse(PlansSchema, rows).flatMap((row) => row['QUERY PLAN']);
    return plans.reduce((sum, { Plan }) => sum + Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'], 0);
  };
  return {
    db,
    async buffersOf(read) {
      made.length = 0;
      await read(db);
      let sum = 0;
      for (const query of made.filter(({ sql }) => !/\b(insert into|update|delete from)\s+\w/i.test(sql)))
        sum += await buffers(query);
      return sum;
    },
  };
}
