import { type Kysely, sql } from 'kysely';

/** Where tax lay withheld when the balances of a round were observed for the last time: the same answer has both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reward_snapshots add column withheld jsonb;
    comment on column reward_snapshots.withheld is 'Raw units of withheld tax by token account, of the last observation alone; removed when the round has ended.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reward_snapshots drop column withheld`.execute(db);
}
