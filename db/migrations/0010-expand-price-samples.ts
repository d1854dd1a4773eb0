import { type Kysely, sql } from 'kysely';

/** Adds which prices the worker looked at by itself: a stranger's trade or launch must not choose what makes a price steady. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table price_observations add column is_sample boolean not null default true;
    comment on column price_observations.is_sample is 'The worker or an operator chose the moment: only such prices make a price steady. True for those of 0.1.0.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table price_observations drop column is_sample`.execute(db);
}
