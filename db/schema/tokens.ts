import type { Generated, GeneratedAlways } from 'kysely';
import type { PositionHolder } from '../../domain/fee-models.ts';
import type { FeeTier, LaunchMode, RewardTaxBps } from '../../domain/token-facts.ts';
import type { Fixed, Json } from './columns.ts';

export interface TokenTable {
  mint: Fixed<string>;
  name: Fixed<string>;
  symbol: Fixed<string>;
  decimals: Fixed<number>;
  logoUrl: string;
  metadataUri: Fixed<string>;
  url: string;
  pool: Fixed<string>;
  quoteMint: Fixed<string>;
  quoteSymbol: Fixed<string>;
  creator: Fixed<string>;
  feeRecipient: Fixed<string | null>;
  mode: Fixed<LaunchMode>;
  feeTier: Fixed<FeeTier | null>;
  rewardTaxBps: Fixed<RewardTaxBps | null>;
  poolFeePercent: Fixed<number>;
  hidden: Generated<boolean>;
  links: Json;
  quoteId: Fixed<string | null>;
  createdAt: Date;
  createdSlot: bigint;
  withdrawnAt: Date | null;
  listingNumber: GeneratedAlways<bigint>;
  symbolSkeleton: string;
  nameSkeleton: string;
}

export interface PositionTable {
  mint: Fixed<string>;
  index: Fixed<1 | 2>;
  positionMint: Fixed<string>;
  feeKeyMint: Fixed<string>;
  holder: Fixed<PositionHolder>;
  shareBps: Fixed<number>;
  liquidity: Fixed<bigint>;
  tickLower: Fixed<number>;
  tickUpper: Fixed<number>;
  lockedSignature: Fixed<string>;
}

export interface TokensTables {
  tokens: TokenTable;
  positions: PositionTable;
}
