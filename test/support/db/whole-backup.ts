import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { restored } from '../platform/restored.ts';

interface Column {
  readonly table: string;
  readonly name: string;
}

/** Takes a copy of every table and sequence. Returns what brings the whole database back to it, beside running services. */
export async function backUp(db: Db): Promise<() => Promise<void>> {
  const columns = Map.groupBy(await columnsOf(db), ({ table }) => table);
  const sequences = await sequencesOf(db);
  await sql`create schema backup`.execute(db);
  for (const table of columns.keys())
    await sql`create table ${sql.id('backup', table)} as select * from ${sql.id('public', table)}`.execute(db);
  return () =>
    restored(db, async (tx) => {
      // No trigger and no foreign key sees a restore.
      await sql`set local session_replication_role = replica`.execute(tx);
      const all = [...columns.keys()].map((table) => sql.id('public', table));
      await sql`truncate ${sql.join(all)} cascade`.execute(tx);
      for (const [table, of] of columns) {
        const names = sql.join(of.map(({ name }) => sql.id(name)));
        await sql`
          insert into ${sql.id('public', table)} (${names}) overriding system value
          select ${names} from ${sql.id('backup', table)}`.execute(tx);
      }
      for (const { name, value, isCalled } of sequences)
        await sql`select setval(${name}::text::regclass, ${value}, ${isCalled})`.execute(tx);
    });
}

/** Columns that can be written, of tables that are no partition. */
async function columnsOf(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select relname as table, attname as name
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped and attgenerated = ''
      and relname not like 'kysely_%'
    order by relname, attnum`.execute(db);
  return rows;
}

async function sequencesOf(db: Db) {
  const { rows } = await sql<{ name: string }>`
    select format('public.%I', relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S'`.execute(db);
  const read = async ({ name }: { name: string }) => {
    const last = await sql<{ value: bigint; isCalled: boolean }>`
      select last_value as value, is_called from ${sql.raw(name)}`.execute(db);
    return { name, ...last.rows[0]! };
  };
  return Promise.all(rows.map(read));
}
