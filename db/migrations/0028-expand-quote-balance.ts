import { type Kysely, sql } from 'kysely';

/**
 * Cursors say what the quote vault held too. A release before moves a cursor and leaves the old balance there: then the next history does
 * not begin with it and is read anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pool_cursors add column quote_raw numeric(20, 0);
    alter table pool_cursors alter column quote_raw set default 0;
    comment on column pool_cursors.quote_raw is 'The quote vault''s balance after finalized_slot; null where it is not known.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pool_cursors drop column quote_raw`.execute(db);
}
