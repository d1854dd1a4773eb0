import { type Kysely, sql } from 'kysely';

/** Adds the state of each pool up to which its stored swaps are proven complete. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pool_proofs (
      pool text collate "C" not null references pool_cursors on delete cascade,
      since timestamptz not null,
      slot bigint not null,
      state jsonb not null,
      primary key (pool, since)
    );
    comment on table pool_proofs is 'Final states of pools by a quorum: the swaps that are stored behind one must lead from it to the present state.';
    comment on column pool_proofs.since is 'From here on the stored swaps are proven complete up to the slot.';
    comment on column pool_proofs.slot is 'The state has every stored swap up to here, and none behind.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table pool_proofs`.execute(db);
}
