import { type Kysely, sql } from 'kysely';

/** Adds what finds a traded token among any number of others of its name with one probe. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index token_markets_traded_symbol on token_markets (symbol_skeleton, created_at)
      where symbol_skeleton <> '' and volume24h_usd > 0 and listed;
    create index token_markets_traded_name on token_markets (name_skeleton, created_at)
      where name_skeleton <> '' and volume24h_usd > 0 and listed;
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index token_markets_traded_symbol, token_markets_traded_name`.execute(db);
}
