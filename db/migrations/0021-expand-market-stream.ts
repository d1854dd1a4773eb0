import { type Kysely, sql } from 'kysely';

/** How far the market was followed by a stream, and which pools nobody has read yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table market_stream (
      is_only boolean primary key default true check (is_only),
      followed_slot bigint not null check (followed_slot >= 0),
      updated_at timestamptz not null default now()
    );
    comment on table market_stream is 'One row: how far the market was followed by a stream.';
    comment on column market_stream.followed_slot is 'What the stream told of up to this slot is settled: it begins after it.';
    create index pool_cursors_unread on pool_cursors (pool) where base_vault is null;
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table market_stream;
    drop index pool_cursors_unread;
  `.execute(db);
}
