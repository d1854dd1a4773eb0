import { type Kysely, sql } from 'kysely';

/** Adds what finds the few rounds that only the chain showed among any number of ended ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index reward_rounds_found on reward_rounds (mint, number)
      where state = 'done' and note = 'found on the chain'`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index reward_rounds_found`.execute(db);
}
