import type { Generated, GeneratedAlways } from 'kysely';
import type { FeeSweepState } from '../../domain/fee-sweep/fee-sweep.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';
import type { Fixed } from './columns.ts';
import type { PriceSource } from './pairs.ts';

export interface FeeSweepTable {
  mint: Fixed<string>;
  number: Fixed<number>;
  state: Generated<FeeSweepState>;
  feeKeyMint: Fixed<string | null>;
  claimableBaseRaw: Fixed<bigint | null>;
  claimableQuoteRaw: Fixed<bigint | null>;
  quoteUsd: SpendableUsd | null;
  priceSource: PriceSource | null;
  pricedAt: Date | null;
  baseUsd: SpendableUsd | null;
  buybackBps: Fixed<number>;
  flywheelBps: Fixed<number>;
  excessRaw: bigint | null;
  plannedAt: Generated<Date>;
  tries: Generated<number>;
  dueAt: Generated<Date>;
  problem: string | null;
  settledAt: Date | null;
}

export interface FeeHarvestTable {
  purpose: Fixed<Purpose>;
  mint: Fixed<string>;
  number: Fixed<number>;
  pool: Fixed<string>;
  feeKeyMint: Fixed<string>;
  quoteMint: Fixed<string>;
  baseRaw: Fixed<bigint>;
  quoteRaw: Fixed<bigint>;
  quoteUsd: Fixed<SpendableUsd | null>;
  priceSource: Fixed<PriceSource | null>;
  pricedAt: Fixed<Date | null>;
  valueUsd: Fixed<SpendableUsd | null>;
  buybackBps: Fixed<number>;
  flywheelBps: Fixed<number>;
  signature: Fixed<string>;
  slot: Fixed<bigint>;
  harvestedAt: Fixed<Date>;
}

/** Written by a trigger with each harvest. */
export interface RevenueDayTable {
  day: GeneratedAlways<string>;
  revenueUsd: GeneratedAlways<string>;
  buybackUsd: GeneratedAlways<string>;
  flywheelUsd: GeneratedAlways<string>;
  harvests: GeneratedAlways<number>;
  unpriced: GeneratedAlways<number>;
}

export interface FeeSweepTables {
  feeSweeps: FeeSweepTable;
  feeHarvests: FeeHarvestTable;
  revenueDays: RevenueDayTable;
}
