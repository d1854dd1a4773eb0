import type { Db } from '../connect.ts';

/** Mints of all tokens whose pools are indexed. */
export async function listMarketMints(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('poolCursors').select('mint').orderBy('mint').execute();
  return rows.map(({ mint }) => mint);
}
