import { type Kysely, sql } from 'kysely';

/** Adds how far the steps of each lane were checked, so that a start reads only what moved since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lane_checks (
      lane integer primary key references lanes on delete cascade,
      number integer not null check (number > 0),
      value numeric(20, 0) not null check (number = floor(value / 1099511627776)),
      checked_at timestamptz not null default now()
    );
    comment on table lane_checks is 'Each lane follows from its steps up to this one. A check without its final step counts for nothing.';
    comment on column lane_checks.value is 'Value of that step: it holds an HMAC over the value before it.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table lane_checks`.execute(db);
}
