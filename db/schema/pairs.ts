import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Fixed } from './columns.ts';

export type PriceSource = 'fixed' | 'pyth' | 'jupiter';

export interface PairCategoryTable {
  name: Fixed<string>;
  retired: Generated<boolean>;
}

export type PairStatus = 'active' | 'retired';

export interface PairTable {
  mint: Fixed<string>;
  symbol: string;
  name: string;
  decimals: number;
  tokenProgram: string;
  category: string;
  logoUrl: string | null;
  status: Generated<PairStatus>;
  priceSource: PriceSource;
  priceSourceId: string;
  priceMaxAgeMs: number;
  priceMaxConfidenceBps: number;
  addedAt: Generated<Date>;
  retiredAt: Date | null;
  symbolSkeleton: string;
  nameSkeleton: string;
}

export interface PriceObservationTable {
  id: GeneratedAlways<bigint>;
  mint: Fixed<string>;
  usd: Fixed<string>;
  source: Fixed<string>;
  observedAt: Fixed<Date>;
  recordedAt: Generated<Date>;
  isSample: Fixed<boolean>;
}

export type Pair = Selectable<PairTable>;

export interface PairsTables {
  pairCategories: PairCategoryTable;
  pairs: PairTable;
  priceObservations: PriceObservationTable;
}
