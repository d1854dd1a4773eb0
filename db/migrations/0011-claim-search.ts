import { type Kysely, sql } from 'kysely';

/** Indexes by which operators find claims: the newest of all, and those of one launch. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index claim_intents_newest on claim_intents (issued_at desc, intent_id);
    create index claim_intents_of_mint on claim_intents (mint, issued_at desc, intent_id);
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index claim_intents_newest, claim_intents_of_mint`.execute(db);
}
