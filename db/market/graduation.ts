import type { Db } from '../connect.ts';

/**
 * Graduates every token whose high water mark, which only final swaps raise, touched a market cap in USD. For ever: no later
 * price leads back. Answers the mints that graduated now.
 */
export async function graduateTokens(db: Db, capUsd: number): Promise<string[]> {
  const rows = await db
    .updateTable('tokenMarkets')
    .set({ status: 'graduated' })
    .where('status', '!=', 'graduated')
    .where('highWaterMarketCapUsd', '>=', String(capUsd))
    .returning('mint')
    .execute();
  return rows.map(({ mint }) => mint);
}
