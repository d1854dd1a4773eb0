import type { Insertable } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import type { SwapTable } from '../../../db/schema/market.ts';
import { address, signature } from '../launch/launch-rows.ts';

/** Writes swaps of a token, one slot after the other where none is given; answers their signatures. */
export async function insertSwaps(
  db: Db,
  mint: string,
  swaps: readonly Partial<Insertable<SwapTable>>[],
): Promise<string[]> {
  const { pool } = await db.selectFrom('tokens').select('pool').where('mint', '=', mint).executeTakeFirstOrThrow();
  const rows = swaps.map((swap, index) => ({
    signature: signature(),
    pool,
    index: 0,
    mint,
    slot: 2_000n + BigInt(index),
    slotOrder: 0,
    blockTime: new Date(Date.UTC(2026, 10, 21, 14, 0, index)),
    side: 'buy' as const,
    wallet: address(),
    baseRaw: 1_000_000_000n,
    quoteRaw: 5_000n,
    priceQuote: '0.000005',
    finalized: true,
    quoteUsd: '1',
    priceUsd: '0.000005',
    valueUsd: '0.005',
    ...swap,
  }));
  await db.insertInto('swaps').values(rows).execute();
  return rows.map((row) => row.signature);
}
