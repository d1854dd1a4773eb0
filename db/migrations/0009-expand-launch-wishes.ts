import { type Kysely, sql } from 'kysely';

/** Adds what a quote was asked for: the worker compares the quote's terms with it before it signs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table launch_addresses add column wish jsonb;
    comment on column launch_addresses.wish is 'What the quote with these addresses was asked to contain; null: free, or taken by release 0.1.0.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table launch_addresses drop column wish`.execute(db);
}
