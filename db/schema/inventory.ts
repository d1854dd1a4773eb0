import type { Generated } from 'kysely';
import type { Fixed } from './columns.ts';

export interface PairInventoryTable {
  mint: Fixed<string>;
  reserveRaw: Generated<bigint>;
  restockBelowRaw: bigint | null;
  restockToRaw: bigint | null;
  hourRaw: bigint | null;
}

export interface InventoryTables {
  pairInventory: PairInventoryTable;
}
