import { sql } from 'kysely';
import { appendAudit } from './audit-log.ts';
import { transaction, type Db } from './connect.ts';
import { type NewSwap, writeSwaps } from './swaps.ts';

/** The whole history of a pool up to a finalized slot, counted anew. */
export interface RepairedHistory {
  readonly pool: string;
  readonly mint: string;
  readonly untilSlot: bigint;
  /** The base vault's balance after that slot, raw units. */
  readonly baseRaw: bigint;
  readonly swaps: readonly NewSwap[];
  readonly highestCapUsd: string | null;
  readonly actor: string;
  readonly note?: string;
}

/**
 * Replaces all stored swaps of a pool up to a slot by these, moves the cursor there and audits it, in one database
 * transaction. The high water mark is raised where they reach higher, and never lowered.
 */
export function replaceSwaps(db: Db, history: RepairedHistory): Promise<void> {
  const { pool, mint, untilSlot, baseRaw, swaps, highestCapUsd, actor, note } = history;
  return transaction(db, async (tx) => {
    // The cursor's row is the lock of everything that writes swaps of the pool.
    await tx.selectFrom('poolCursors').select('pool').where('pool', '=', pool).forUpdate().execute();
    await tx.deleteFrom('swaps').where('pool', '=', pool).where('slot', '<=', untilSlot).execute();
    await writeSwaps(tx, swaps, true);
    await tx
      .updateTable('poolCursors')
      .set({ finalizedSlot: untilSlot, baseRaw, gap: null, gapSince: null })
      // Looked at once more, so that figures follow and what came after is settled.
      .set({ changedSlot: sql`greatest(changed_slot, ${untilSlot}::bigint)` })
      .where('pool', '=', pool)
      .execute();
    await tx
      .updateTable('tokenMarkets')
      .set({ highWaterMarketCapUsd: sql`greatest(high_water_market_cap_usd, ${highestCapUsd}::numeric)` })
      .where('mint', '=', mint)
      .execute();
    const details = { pool, untilSlot: String(untilSlot), swaps: swaps.length };
    await appendAudit(tx, { actor, action: 'market.repair', subject: `token/${mint}`, ...(note && { note }), details });
  });
}
