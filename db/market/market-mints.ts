import type { Db } from '../connect.ts';

export async function listMarketMints(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('poolCursors').select('mint').orderBy('mint').execute();
  return rows.map(({ mint }) => mint);
}
