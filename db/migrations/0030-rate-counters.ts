import { type Kysely, sql } from 'kysely';

/** Rate limits that several API processes share. Unlogged: a crash forgets at most a minute of counting, and a count costs no flush. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table rate_counters (
      key text primary key,
      count integer not null,
      ends_at timestamptz not null
    );
    comment on table rate_counters is 'Requests of a client on one limit, within a window that its first request began.';
    create index rate_counters_ended on rate_counters (ends_at);
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table rate_counters`.execute(db);
}
