import { globSync, readFileSync } from 'node:fs';
import { CamelCasePlugin, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { CHAIN_TRANSACTION_STATUSES } from '../../domain/chain-transaction.ts';
import { LAUNCH_STATES } from '../../domain/launch/state.ts';
import { SWITCH_VALUES } from '../../domain/switches.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

class Names extends CamelCasePlugin {
  toColumn(name: string): string {
    return this.snakeCase(name);
  }
}

const SCHEMA_FILES = globSync('db/schema/*.ts');

/** Columns as db/schema declares them: `table.column` to the first word of its type and whether it can be null. */
function declaredColumns(): Map<string, { type: string; nullable: boolean }> {
  const source = SCHEMA_FILES.map((file) => readFileSync(file, 'utf8')).join('\n');
  const names = new Names();
  const tables = new Map([...source.matchAll(/^ {2}(\w+): (\w+Table);$/gm)].map(([, table, type]) => [type!, table!]));
  const columns = new Map<string, { type: string; nullable: boolean }>();
  const bodies = new Map<string, string>();
  for (const [, interfaceName, base, own] of source.matchAll(
    /^export interface (\w+Table)(?: extends (\w+Table))? \{\n([^}]*)\}/gm,
  )) {
    const body = `${base ? bodies.get(base)! : ''}${own!}`;
    bodies.set(interfaceName!, body);
    for (const [, column, type] of body.matchAll(/^ {2}(\w+): (.+);$/gm)) {
      const key = `${names.toColumn(tables.get(interfaceName!)!)}.${names.toColumn(column!)}`;
      columns.set(key, { type: plainType(type!), nullable: type!.includes('| null') });
    }
  }
  return columns;
}

/** `Fixed<string | null>` to `string`; unions and brands of ours to what the driver gives. */
function plainType(type: string): string {
  const inner = /^(?:Fixed|Generated|GeneratedAlways|ColumnType)<(.*)>$/.exec(type)?.[1] ?? type;
  const first = inner.split(/ \| |, /)[0]!;
  const known: Record<string, string> = {
    Lamports: 'bigint',
    Bytes: 'Buffer',
    Buffer: 'Buffer',
    Json: 'object',
    RewardTaxBps: 'number',
    '1': 'number',
  };
  if (known[first]) return known[first];
  return /^(string|number|bigint|boolean|Date|object|(string|bigint)\[\])$/.test(first) ? first : 'string';
}

/** What the pool's parsers make of a PostgreSQL type. */
function driverType({
  dataType,
  elementType,
  numericScale,
}: {
  dataType: string;
  elementType: string;
  numericScale: number | null;
}): string {
  const types: Record<string, string> = {
    text: 'string',
    uuid: 'string',
    integer: 'number',
    smallint: 'number',
    bigint: 'bigint',
    boolean: 'boolean',
    bytea: 'Buffer',
    xid8: 'string',
    jsonb: 'object',
    'timestamp with time zone': 'Date',
    ARRAY: elementType === '_int8' ? 'bigint[]' : 'string[]',
    numeric: numericScale === 0 ? 'bigint' : 'string',
  };
  return types[dataType] ?? `unknown type ${dataType}`;
}

async function migratedColumns() {
  const { rows } = await sql<{
    key: string;
    dataType: string;
    elementType: string;
    numericScale: number | null;
    isNullable: string;
    numericPrecision: number | null;
  }>`
    select table_name || '.' || column_name as key, data_type, udt_name as element_type, numeric_scale, numeric_precision, is_nullable
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'
      and not (select relispartition from pg_class where oid = to_regclass(quote_ident(table_name)))`.execute(db());
  return rows;
}

describe('db/schema', () => {
  it('declares exactly the columns of a migrated database, with their types and nullability', async () => {
    const migrated = (await migratedColumns()).map((row) => [
      row.key,
      { type: driverType(row), nullable: row.isNullable === 'YES' },
    ]);
    expect(Object.fromEntries(declaredColumns())).toEqual(Object.fromEntries(migrated));
  });

  it('declares the scale of every numeric, which decides between bigint and decimal string', async () => {
    const numerics = (await migratedColumns()).filter(({ dataType }) => dataType === 'numeric');
    expect(numerics.length).toBeGreaterThan(0);
    for (const { key, numericPrecision } of numerics) expect(numericPrecision, key).not.toBeNull();
  });
});

describe('checks in the database', () => {
  async function valuesOfCheck(name: string): Promise<string[]> {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_constraintdef(oid) as definition from pg_constraint where conname = ${name}`.execute(db());
    return [...rows[0]!.definition.matchAll(/'(\w+)'::text/g)].map(([, value]) => value!).sort();
  }

  it('allow exactly the launch states of the domain', async () => {
    expect(await valuesOfCheck('launches_state')).toEqual([...LAUNCH_STATES].sort());
  });

  it('allow exactly the transaction statuses of the domain', async () => {
    expect(await valuesOfCheck('chain_transactions_status')).toEqual([...CHAIN_TRANSACTION_STATUSES].sort());
  });

  it('allow exactly the switches and values of the domain', async () => {
    const known = [...Object.keys(SWITCH_VALUES), ...new Set(Object.values(SWITCH_VALUES).flat())];
    expect([...new Set(await valuesOfCheck('switches_value'))].sort()).toEqual(known.sort());
  });
});
