import { sql, type Transaction } from 'kysely';
import * as auditLog from '../platform/audit-log.ts';
import { transaction, type Db } from '../connect.ts';
import type { Database } from '../schema/database.ts';
import * as swapArchives from './swap-archives.ts';
import { factsOf, givenSwaps, type NewSwap, raiseVersion, writeSwaps } from './swaps.ts';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';

export interface RepairedHistory {
  readonly pool: string;
  readonly mint: string;
  readonly untilSlot: bigint;
  /** A cursor between `untilSlot` and this stays. */
  readonly finalSlot: bigint;
  /** Raw units. */
  readonly baseRaw: bigint;
  readonly swaps: readonly NewSwap[];
  readonly highestCapUsd: SpendableUsd | null;
  /** False keeps swaps that were not found. */
  readonly isWhole: boolean;
  readonly actor: string;
  readonly note?: string;
}

/** Slots until a swap is final: more than from finality to the head. */
export const SLOTS_UNTIL_FINAL = 150n;

/** Only raises the high water mark. */
export function replaceSwaps(db: Db, history: RepairedHistory): Promise<void> {
  const { pool, mint, untilSlot, finalSlot, baseRaw, swaps, highestCapUsd, isWhole, actor, note } = history;
  const furthest = sql<bigint>`${untilSlot + SLOTS_UNTIL_FINAL}::bigint`;
  return transaction(db, async (tx) => {
    // The lock of the pool's swaps.
    await tx.selectFrom('poolCursors').select('pool').where('pool', '=', pool).forUpdate().execute();
    // Of removed months only the kept ones.
    const removedUntil = await swapArchives.removedUntil(tx);
    await correctSwaps(tx, history, removedUntil);
    // Swaps that are added below the cursor are final at once.
    await sql`select set_config('slipway.repair', 'on', true)`.execute(tx);
    await writeSwaps(
      tx,
      swaps.filter(({ slot }) => removedUntil === null || slot > removedUntil),
    );
    await sql`select set_config('slipway.repair', 'off', true)`.execute(tx);
    await raiseVersion(tx, pool);
    await tx
      .updateTable('poolCursors')
      .set({
        finalizedSlot: sql`case when finalized_slot between ${untilSlot} and ${finalSlot} then finalized_slot else ${untilSlot} end`,
        baseRaw: sql`case when finalized_slot between ${untilSlot} and ${finalSlot} then base_raw else ${baseRaw} end`,
        // Null: the next settlement lists the history again.
        quoteRaw: sql`case when finalized_slot between ${untilSlot} and ${finalSlot} then quote_raw end`,
        gap: null,
        gapSince: null,
      })
      // Figures follow and later swaps settle. Slots beyond the chain are clamped or cleared.
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

/**
 * Deletes stored swaps that were not found or that differ in a fact, and corrects prices and places of the others. Each
 * deletion is an event, so an unchanged swap stays. An incomplete history deletes only swaps that it found otherwise.
 */
async function correctSwaps(
  tx: Transaction<Database>,
  { pool, untilSlot, swaps, isWhole }: RepairedHistory,
  removedUntil: bigint | null,
): Promise<void> {
  const found = sql`(${givenSwaps(swaps, sql`pool_cursors`)}) as found`;
  const isSame = sql`found.signature = stored.signature and found.index = stored.index`;
  const inReach = sql`stored.pool_number = (select number from pool_cursors where pool = ${pool})
    and stored.slot <= ${untilSlot}::bigint and stored.slot > ${removedUntil ?? -1n}::bigint`;
  await sql`delete from market_swaps as stored where ${inReach}
    and not exists (select from ${found} where ${isSame} and ${factsOf(sql`found`)} = ${factsOf(sql`stored`)})
    and (${isWhole} or exists (select from ${found} where ${isSame}))`.execute(tx);
  await sql`update market_swaps as stored
    set slot_order = found.slot_order, supply_raw = found.supply_raw, quote_usd = found.quote_usd
    from ${found} where ${inReach} and ${isSame} and (stored.slot_order, stored.supply_raw, stored.quote_usd)
      is distinct from (found.slot_order, found.supply_raw, found.quote_usd)`.execute(tx);
}
