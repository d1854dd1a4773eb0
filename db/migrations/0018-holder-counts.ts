import { type Kysely, sql } from 'kysely';

/** When a token's holders were counted, so that only those are counted again that traded since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pool_cursors add column holders_slot bigint, add column holders_counted_at timestamptz;
    comment on column pool_cursors.holders_slot is 'Slot at which the holders of the token were counted last; null until then.';
    create index pool_cursors_holders_due on pool_cursors (holders_counted_at nulls first)
      where finalized_slot > coalesce(holders_slot, -1);
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pool_cursors drop column holders_slot, drop column holders_counted_at`.execute(db);
}
