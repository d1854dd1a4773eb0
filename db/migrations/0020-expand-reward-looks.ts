import { type Kysely, sql } from 'kysely';

/** Which reward tokens are worth a look: those whose pools changed since the last one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pool_cursors add column rewards_seen text collate "C";
    comment on column pool_cursors.rewards_seen is 'Hash of the pool account at the last look that found no round to be due: until it is another one, nothing but tax of transfers between wallets has come together.';
    create index pool_cursors_rewards_due on pool_cursors (pool) where seen is null or seen is distinct from rewards_seen;
    create index reward_tokens_looked on reward_tokens (looked_at, mint);
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index reward_tokens_looked;
    alter table pool_cursors drop column rewards_seen;
  `.execute(db);
}
