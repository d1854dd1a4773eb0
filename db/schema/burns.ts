import type { GeneratedAlways } from 'kysely';
import type { BurnKind } from '../../domain/burn.ts';
import type { Fixed } from './columns.ts';

export interface BurnTable {
  id: GeneratedAlways<bigint>;
  mint: Fixed<string>;
  amountRaw: Fixed<bigint>;
  signature: Fixed<string>;
  kind: Fixed<BurnKind>;
  valueUsd: Fixed<string | null>;
  burnedAt: Fixed<Date>;
}

/** Written by a trigger with each burn. */
export interface BurnDayTable {
  day: GeneratedAlways<string>;
  kind: GeneratedAlways<BurnKind>;
  valueUsd: GeneratedAlways<string>;
  burns: GeneratedAlways<number>;
  unpriced: GeneratedAlways<number>;
}

export interface BurnSumTable {
  mint: GeneratedAlways<string>;
  kind: GeneratedAlways<BurnKind>;
  amountRaw: GeneratedAlways<bigint>;
  valueUsd: GeneratedAlways<string>;
  burns: GeneratedAlways<number>;
  unpriced: GeneratedAlways<number>;
  lastBurnedAt: GeneratedAlways<Date>;
}

export interface BurnsTables {
  burns: BurnTable;
  burnDays: BurnDayTable;
  burnSums: BurnSumTable;
}
