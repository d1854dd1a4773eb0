import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_endpoints (
      id text collate "C" primary key,
      url text not null,
      secret text not null,
      types text[],
      mint text,
      wallet text,
      creator text,
      cursor text not null,
      paused_because text,
      failures integer not null default 0 check (failures >= 0),
      next_try_at timestamptz,
      last_failure text,
      delivered_at timestamptz,
      created_at timestamptz not null default now()
    );
    comment on table webhook_endpoints is 'Receivers of events. A worker delivers what lies behind the cursor, in the order of the log.';
    comment on column webhook_endpoints.secret is 'Signs deliveries: whsec_ and base64. The API may not read this table.';
    comment on column webhook_endpoints.cursor is 'The last event that the receiver took with a 2xx.';
    comment on column webhook_endpoints.paused_because is 'Why nothing is delivered; null while it is.';
    comment on column webhook_endpoints.failures is 'Failed tries of the event behind the cursor.';

    create table webhook_keys (
      seed_id text primary key,
      public_key text not null
    );
    comment on table webhook_keys is 'Public keys of the v1a signatures, whpk_ and base64, by the seed they derive from.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table webhook_keys, webhook_endpoints`.execute(db);
}
