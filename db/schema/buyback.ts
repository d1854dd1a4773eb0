import type { Generated, GeneratedAlways } from 'kysely';
import type { BuybackKind, BuybackState } from '../../domain/buyback/buyback.ts';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';
import type { Fixed } from './columns.ts';
import type { PriceSource } from './pairs.ts';

export interface BuybackBudgetTable {
  kind: GeneratedAlways<BuybackKind>;
  quoteMint: GeneratedAlways<string>;
  /** A trigger adds the share of each harvest. */
  allocatedRaw: GeneratedAlways<bigint>;
  /** A trigger adds each purchase. */
  spentRaw: GeneratedAlways<bigint>;
  problem: string | null;
}

export interface BuybackRoundTable {
  id: Fixed<string>;
  kind: Fixed<BuybackKind>;
  mint: Fixed<string>;
  number: Fixed<number>;
  quoteMint: string;
  state: Generated<BuybackState>;
  mostRaw: bigint;
  quoteUsd: SpendableUsd | null;
  priceSource: PriceSource | null;
  pricedAt: Date | null;
  averagePrice: string | null;
  spentRaw: bigint | null;
  boughtRaw: bigint | null;
  signature: string | null;
  slot: bigint | null;
  plannedAt: Generated<Date>;
  tries: Generated<number>;
  problem: string | null;
  settledAt: Date | null;
}

export interface FlywheelTokenTable {
  mint: Fixed<string>;
  rank: Fixed<number>;
  revenueUsd: Fixed<string>;
  rankedAt: Generated<Date>;
}

/** Written by a trigger with each round. */
export interface BuybackSumTable {
  kind: GeneratedAlways<BuybackKind>;
  mint: GeneratedAlways<string>;
  quoteMint: GeneratedAlways<string>;
  rounds: GeneratedAlways<bigint>;
  spentTimesPrice: GeneratedAlways<string>;
}

export interface BuybackTables {
  buybackBudgets: BuybackBudgetTable;
  buybackRounds: BuybackRoundTable;
  flywheelTokens: FlywheelTokenTable;
  buybackSums: BuybackSumTable;
}
