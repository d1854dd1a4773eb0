import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table book_findings (
      kind text collate "C" not null,
      subject text collate "C" not null,
      books text not null,
      chain text not null,
      first_seen_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      primary key (kind, subject)
    );
    comment on table book_findings is 'Differences between books and chain as of the last comparison; one that is gone is deleted.';

    create table book_checks (
      singleton boolean primary key default true check (singleton),
      ended_at timestamptz not null
    );
    comment on table book_checks is 'When books and chain were last compared.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table book_checks, book_findings`.execute(db);
}
