import { sql, type Transaction } from 'kysely';
import * as auditLog from '../platform/audit-log.ts';
import { transaction, type Db } from '../connect.ts';
import type { Database } from '../schema/database.ts';
import { bytesOf, SIGNATURE_BYTES } from './swap-bytes.ts';
import * as swapArchives from './swap-archives.ts';
import { type NewSwap, raiseVersion, writeSwaps } from './swaps.ts';

/** The history of a pool up to a finalized slot, counted anew. */
export interface RepairedHistory {
  readonly pool: string;
  readonly mint: string;
  readonly untilSlot: bigint;
  /** The chain is final up to here: a cursor that came further than `untilSlot` meanwhile, and not beyond this, stays. */
  readonly finalSlot: bigint;
  /** The base vault's balance after that slot, raw units. */
  readonly baseRaw: bigint;
  readonly swaps: readonly NewSwap[];
  readonly highestCapUsd: string | null;
  /** False where something of it could not be found any more: then nothing that is stored is removed. */
  readonly isWhole: boolean;
  readonly actor: string;
  readonly note?: string;
}

/** More slots than lie between what is final and the newest. */
export const SLOTS_UNTIL_FINAL = 150n;

/**
 * Replaces the stored swaps of a pool up to a slot by these, moves the cursor there and audits it, in one database
 * transaction. The high water mark is raised where they reach higher, and never lowered.
 */
export function replaceSwaps(db: Db, history: RepairedHistory): Promise<void> {
  const { pool, mint, untilSlot, finalSlot, baseRaw, swaps, highestCapUsd, isWhole, actor, note } = history;
  const furthest = sql<bigint>`${untilSlot + SLOTS_UNTIL_FINAL}::bigint`;
  return transaction(db, async (tx) => {
    // The cursor's row is the lock of everything that writes swaps of the pool.
    await tx.selectFrom('poolCursors').select('pool').where('pool', '=', pool).forUpdate().execute();
    // What was removed with its month stays away, and with it the one swap of it that is kept.
    const removedUntil = await swapArchives.removedUntil(tx);
    await removeSwaps(tx, history, removedUntil);
    await writeSwaps(
      tx,
      swaps.filter(({ slot }) => removedUntil === null || slot > removedUntil),
    );
    await raiseVersion(tx, pool);
    await tx
      .updateTable('poolCursors')
      .set({
        finalizedSlot: sql`case when finalized_slot between ${untilSlot} and ${finalSlot} then finalized_slot else ${untilSlot} end`,
        baseRaw: sql`case when finalized_slot between ${untilSlot} and ${finalSlot} then base_raw else ${baseRaw} end`,
        // Where it is not known the history is listed anew.
        quoteRaw: sql`case when finalized_slot between ${untilSlot} and ${finalSlot} then quote_raw end`,
        gap: null,
        gapSince: null,
      })
      // Looked at once more, so that figures follow and what came after is settled. Of a slot that the chain has not come to nothing stays.
      .set({ changedSlot: sql`least(greatest(changed_slot, ${untilSlot}::bigint), ${furthest})` })
      .set({ stateSlot: sql`case when state_slot <= ${furthest} then state_slot end` })
      .where('pool', '=', pool)
      .execute();
    await tx
      .updateTable('tokenMarkets')
      .set({ highWaterMarketCapUsd: sql`greatest(high_water_market_cap_usd, ${highestCapUsd}::numeric)` })
      .set({ lastSlot: sql`case when last_slot <= ${furthest} then last_slot end` })
      .where('mint', '=', mint)
      .execute();
    const details = { pool, untilSlot: String(untilSlot), swaps: swaps.length, isWhole };
    await auditLog.append(tx, {
      actor,
      action: 'market.repair',
      subject: `token/${mint}`,
      ...(note && { note }),
      details,
    });
  });
}

/** What stays although it was not found is as final as it will ever be. */
async function removeSwaps(
  tx: Transaction<Database>,
  { pool, untilSlot, swaps, isWhole }: RepairedHistory,
  removedUntil: bigint | null,
) {
  await tx
    .deleteFrom('marketSwaps')
    .where('poolNumber', '=', sql<number>`(select number from pool_cursors where pool = ${pool})`)
    .where('slot', '<=', untilSlot)
    .$if(removedUntil !== null, (query) => query.where('slot', '>', removedUntil!))
    .$if(!isWhole, (query) =>
      query.where(
        'signature',
        'in',
        swaps.map(({ signature }) => bytesOf(signature, SIGNATURE_BYTES)),
      ),
    )
    .execute();
}
