import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';

/** Lists quote tokens with 6 decimals and a fixed price, under a category of their own. */
export async function insertPairs(db: Db, category: string, mints: readonly string[]): Promise<void> {
  await db.insertInto('pairCategories').values({ name: category }).execute();
  await sql`insert into pairs (mint, symbol, name, decimals, token_program, category, price_source, price_source_id,
      price_max_age_ms, price_max_confidence_bps)
    select mint, 'Q', 'Q', 6, 'p', ${category}, 'fixed', 'q', 1000, 100 from unnest(${mints}::text[]) as mint`.execute(
    db,
  );
}
