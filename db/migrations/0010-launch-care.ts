import { type Kysely, sql } from 'kysely';

/** What keeps launches from getting in each other's way: who has how many unpaid ones, and when each sweep is due again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table launches
      add column client text collate "C",
      add column sweep_tries integer not null default 0,
      add column sweep_after timestamptz not null default now();
    comment on column launches.client is 'Network address that submitted it, an IPv6 one as its /64; only while it is unpaid.';
    comment on column launches.sweep_tries is 'How often a sweep of its wallet was begun.';
    comment on column launches.sweep_after is 'When a sweep is due; later with each try.';

    drop index launches_unswept;
    create index launches_unswept on launches (sweep_after) where state = 'finalized' and swept_at is null;
    create index launches_unpaid_by_creator on launches (creator) where state in ('received', 'preparing', 'landing');
    create index launches_unpaid_by_client on launches (client) where client is not null;
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index launches_unpaid_by_creator, launches_unpaid_by_client, launches_unswept;
    alter table launches drop column client, drop column sweep_tries, drop column sweep_after;
    create index launches_unswept on launches (finalized_at) where state = 'finalized' and swept_at is null;
  `.execute(db);
}
