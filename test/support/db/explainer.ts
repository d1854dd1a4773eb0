import { CamelCasePlugin, type CompiledQuery, Kysely, type LogEvent, PostgresDialect } from 'kysely';
import { createPool, type Db } from '../../../db/connect.ts';
import type { Database } from '../../../db/schema/database.ts';

/** A database that tells how PostgreSQL would answer the queries made through it. */
export interface Explainer {
  readonly db: Db;
  /** Runs `read` and returns PostgreSQL's plans of the queries it made. */
  readonly plansOf: (read: () => Promise<unknown>) => Promise<string>;
}

/** Connects to a database of this URL; whoever asks destroys `db`. */
export function createExplainer(url: string): Explainer {
  const queries: CompiledQuery[] = [];
  const log = (event: LogEvent) => void (event.level === 'query' && queries.push(event.query));
  // Whoever asks fills large tables through it first, which takes as long as the machine takes.
  const dialect = new PostgresDialect({ pool: createPool(url, { statementTimeoutMs: 0 }) });
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  const db = new Kysely<Database>({ dialect, plugins, log });
  return {
    db,
    async plansOf(read) {
      queries.length = 0;
      await read();
      const made = [...queries];
      const plans = await Promise.all(
        made.map(({ sql, parameters, ...query }) =>
          db.executeQuery<Record<string, string>>({ ...query, sql: `explain ${sql}`, parameters }),
        ),
      );
      return plans.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row))).join('\n');
    },
  };
}
