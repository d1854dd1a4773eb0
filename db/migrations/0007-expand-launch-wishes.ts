import { type Kysely, sql } from 'kysely';

/** What a quote's creator asked for, which the terms in the quote are compared with before the worker signs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table launch_addresses add column wish jsonb;
    comment on column launch_addresses.wish is 'What the quote with these addresses was asked to contain; null: free, or taken by release 0.1.0.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table launch_addresses drop column wish`.execute(db);
}
