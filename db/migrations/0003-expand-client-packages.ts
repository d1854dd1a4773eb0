import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table client_packages (
      file_name text primary key,
      bytes bytea not null check (octet_length(bytes) between 1 and 4194304),
      kept_at timestamptz not null default clock_timestamp()
    );
    comment on table client_packages is 'Packages of the client that releases of this platform have served, by file name. The newest are kept.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table client_packages`.execute(db);
}
