import { type Kysely, sql } from 'kysely';

/** At which addresses the tokens of reward coins lie, so that they are read by these and not by a search through all accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table held_accounts (
      mint text collate "C" not null references tokens on delete cascade,
      account text collate "C" not null,
      slot bigint not null check (slot >= 0),
      primary key (mint, account)
    );
    comment on table held_accounts is 'Token accounts of reward coins that held something. Some may be missing and some empty: whoever reads them compares their sum with the supply.';
    comment on column held_accounts.slot is 'Slot in which it was seen to hold something.';

    alter table pool_cursors add column many_accounts boolean not null default false;
    comment on column pool_cursors.many_accounts is 'Its token lies in more accounts than held_accounts is to have; none of them are there.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table held_accounts;
    alter table pool_cursors drop column many_accounts;
  `.execute(db);
}
