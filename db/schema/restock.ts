import type { Generated } from 'kysely';
import type { RestockRoundState } from '../../domain/restock/restock.ts';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';
import type { Fixed } from './columns.ts';
import type { PriceSource } from './pairs.ts';

export interface RestockRoundTable {
  id: Fixed<string>;
  mint: Fixed<string>;
  state: Generated<RestockRoundState>;
  seedId: Fixed<string>;
  lamports: Fixed<bigint>;
  budgetLamports: Fixed<bigint>;
  solUsd: Fixed<SpendableUsd>;
  quoteUsd: Fixed<SpendableUsd>;
  priceSource: Fixed<PriceSource>;
  pricedAt: Fixed<Date>;
  plannedAt: Generated<Date>;
  signature: string | null;
  spentLamports: bigint | null;
  agreedRaw: bigint | null;
  receivedRaw: bigint | null;
  reason: string | null;
  settledAt: Date | null;
  clearedAt: Date | null;
}

export interface RestockTables {
  restockRounds: RestockRoundTable;
}
