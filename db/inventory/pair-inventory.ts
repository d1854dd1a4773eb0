/** Changes are audited. */

import * as auditLog from '../platform/audit-log.ts';
import { type Db, transaction } from '../connect.ts';
import type { Decision } from '../platform/switches.ts';

/** Raw units; without levels no restock. */
export interface InventorySettings {
  readonly reserveRaw: bigint;
  readonly restockBelowRaw: bigint | null;
  readonly restockToRaw: bigint | null;
  /** Of dev buys; null: `DEV_BUY_HOUR_USD` limits them. */
  readonly hourRaw: bigint | null;
}

const NONE: InventorySettings = { reserveRaw: 0n, restockBelowRaw: null, restockToRaw: null, hourRaw: null };

/** Reads the pair's settings; without them there is no reserve. */
export async function byMint(db: Db, mint: string): Promise<InventorySettings> {
  const row = db.selectFrom('pairInventory').select(['reserveRaw', 'restockBelowRaw', 'restockToRaw', 'hourRaw']);
  return (await row.where('mint', '=', mint).executeTakeFirst()) ?? NONE;
}

export function set(db: Db, mint: string, settings: InventorySettings, { actor, note }: Decision): Promise<void> {
  const { reserveRaw, restockBelowRaw, restockToRaw, hourRaw } = settings;
  return transaction(db, async (tx) => {
    const values = { reserveRaw, restockBelowRaw, restockToRaw, hourRaw };
    await tx
      .insertInto('pairInventory')
      .values({ mint, ...values })
      .onConflict((conflict) => conflict.column('mint').doUpdateSet(values))
      .execute();
    const details = {
      reserveRaw: reserveRaw.toString(),
      restockBelowRaw: restockBelowRaw?.toString() ?? null,
      restockToRaw: restockToRaw?.toString() ?? null,
      hourRaw: hourRaw?.toString() ?? null,
    };
    await auditLog.append(tx, { actor, action: 'inventory.set', subject: `pair/${mint}`, note, details });
  });
}
