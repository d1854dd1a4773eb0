/** Settings of the treasury's inventory. Changes are audited. */

import * as auditLog from '../platform/audit-log.ts';
import { type Db, transaction } from '../connect.ts';
import type { Decision } from '../platform/switches.ts';

/** What is kept back of a pair's quote tokens and when they are bought anew, raw units; without marks never. */
export interface InventorySettings {
  readonly reserveRaw: bigint;
  readonly restockBelowRaw: bigint | null;
  readonly restockToRaw: bigint | null;
}

const NONE: InventorySettings = { reserveRaw: 0n, restockBelowRaw: null, restockToRaw: null };

/** Settings of a pair; nothing is kept back of one that nobody has set. */
export async function byMint(db: Db, mint: string): Promise<InventorySettings> {
  const row = db.selectFrom('pairInventory').select(['reserveRaw', 'restockBelowRaw', 'restockToRaw']);
  return (await row.where('mint', '=', mint).executeTakeFirst()) ?? NONE;
}

/** Replaces the settings of a listed pair. */
export function set(db: Db, mint: string, settings: InventorySettings, { actor, note }: Decision): Promise<void> {
  const { reserveRaw, restockBelowRaw, restockToRaw } = settings;
  return transaction(db, async (tx) => {
    await tx
      .insertInto('pairInventory')
      .values({ mint, reserveRaw, restockBelowRaw, restockToRaw })
      .onConflict((conflict) => conflict.column('mint').doUpdateSet({ reserveRaw, restockBelowRaw, restockToRaw }))
      .execute();
    const details = {
      reserveRaw: reserveRaw.toString(),
      restockBelowRaw: restockBelowRaw?.toString() ?? null,
      restockToRaw: restockToRaw?.toString() ?? null,
    };
    await auditLog.append(tx, { actor, action: 'inventory.set', subject: `pair/${mint}`, note, details });
  });
}
