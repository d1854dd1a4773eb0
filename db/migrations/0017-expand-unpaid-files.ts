import { type Kysely, sql } from 'kysely';

/** Which launches had their files stored for ever, so that those that were never paid can be bounded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table launches add column files_stored_at timestamptz;
    comment on column launches.files_stored_at is 'When storing logo and metadata for ever began; null before.';
    create index launches_unpaid_files_by_creator on launches (creator, files_stored_at)
      where state in ('preparing', 'landing', 'not_landed');
    create index launches_unpaid_files_by_client on launches (client, files_stored_at)
      where state in ('preparing', 'landing', 'not_landed');
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index launches_unpaid_files_by_creator, launches_unpaid_files_by_client;
    alter table launches drop column files_stored_at;
  `.execute(db);
}
