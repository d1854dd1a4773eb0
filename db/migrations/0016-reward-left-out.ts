import { type Kysely, sql } from 'kysely';

/** The public record of reward rounds: who got nothing and why, and what one needs to draw and judge a round again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reward_rounds add column minimum_raw numeric(100, 0), add column least_payout_raw numeric(100, 0);
    comment on column reward_rounds.minimum_raw is 'Less of the token than this at an observation earned nothing, raw units.';
    comment on column reward_rounds.least_payout_raw is 'What a payout had to bring, raw quote units.';

    alter table reward_snapshots add column part_slots integer check (part_slots > 0);
    comment on column reward_snapshots.part_slots is 'Slots that slot was drawn from, from seen_slot on; null for draws older than this column.';

    alter table reward_payouts add column fault text,
      add constraint reward_payouts_fault
        check (fault in ('accountClosed', 'accountForeign', 'accountFrozen', 'accountNeedsMemo'));
    comment on column reward_payouts.fault is 'Why the account took nothing when the transaction was built; counts where it was not paid.';
  `.execute(db);
  await createLeftOut(db);
}

async function createLeftOut(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_left_out (
      round_id uuid not null references reward_rounds on delete cascade,
      owner text collate "C" not null,
      reason text not null,
      balance_raw numeric(20, 0) not null,
      primary key (round_id, owner)
    );
    comment on table reward_left_out is 'Owners who held enough at an observation and got nothing of a round; of a crowd those that held most.';
    comment on column reward_left_out.balance_raw is 'The least the owner held at the observations, raw units.';
    create index reward_left_out_listed on reward_left_out (round_id, balance_raw desc, owner);

    create table reward_left_out_counts (
      round_id uuid not null references reward_rounds on delete cascade,
      reason text not null,
      owners integer not null check (owners > 0),
      primary key (round_id, reason),
      constraint reward_left_out_counts_reason check (reason in (
        'belowMinimum', 'notThroughout', 'pool', 'platformWallet', 'burnAddress', 'offCurve', 'programOwned', 'belowLeastPayout',
        'accountClosed', 'accountForeign', 'accountFrozen', 'accountNeedsMemo', 'closedByOperator', 'notRecorded'))
    );
    comment on table reward_left_out_counts is 'How many got nothing of a round, by reason: all of them, with or without a row.';
    alter table reward_left_out add foreign key (round_id, reason) references reward_left_out_counts on delete cascade;
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table reward_left_out, reward_left_out_counts;
    alter table reward_payouts drop column fault;
    alter table reward_snapshots drop column part_slots;
    alter table reward_rounds drop column minimum_raw, drop column least_payout_raw;
  `.execute(db);
}
