import { appendAudit } from '../platform/audit-log.ts';
import { type Db, transaction } from '../connect.ts';
import type { Decision } from '../platform/switches.ts';

/** What is kept back of a pair's quote tokens and when they are bought anew, raw units; without marks never. */
export interface InventorySettings {
  readonly reserveRaw: bigint;
  readonly restockBelowRaw: bigint | null;
  readonly restockToRaw: bigint | null;
}

const NONE: InventorySettings = { reserveRaw: 0n, restockBelowRaw: null, restockToRaw: null };

export type PairInventoryRepository = ReturnType<typeof createPairInventoryRepository>;

/** Settings of the treasury's inventory. Changes are audited. */
export function createPairInventoryRepository(db: Db) {
  return {
    /** Settings of a pair; nothing is kept back of one that nobody has set. */
    byMint: (mint: string) => byMint(db, mint),
    /** Replaces the settings of a listed pair. */
    set: (mint: string, settings: InventorySettings, decision: Decision) => set(db, mint, settings, decision),
  };
}

async function byMint(db: Db, mint: string): Promise<InventorySettings> {
  const row = db.selectFrom('pairInventory').select(['reserveRaw', 'restockBelowRaw', 'restockToRaw']);
  return (await row.where('mint', '=', mint).executeTakeFirst()) ?? NONE;
}

function set(db: Db, mint: string, settings: InventorySettings, { actor, note }: Decision): Promise<void> {
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
    await appendAudit(tx, { actor, action: 'inventory.set', subject: `pair/${mint}`, note, details });
  });
}
