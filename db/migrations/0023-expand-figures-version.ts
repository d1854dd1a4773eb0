import { type Kysely, sql } from 'kysely';

/** Figures say of which swaps they are: what is written while they are computed is seen by this. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pool_cursors
      add column swaps_version bigint not null default 0,
      add column figures_version bigint not null default 0;
    comment on column pool_cursors.swaps_version is 'Raised whenever swaps of the pool change what figures are computed of.';
    comment on column pool_cursors.figures_version is 'The version of the swaps that the figures were computed of. Where it is another one, they are due.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pool_cursors drop column swaps_version, drop column figures_version`.execute(db);
}
