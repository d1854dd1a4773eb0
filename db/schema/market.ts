import type { Generated, GeneratedAlways } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Bytes, Fixed, Json } from './columns.ts';
import type { GraduationStatus } from '../../domain/market/graduation.ts';

export type SwapSide = 'buy' | 'sell';

/** A swap. Only a fork changes slot, order and time, until the cursor reaches it. */
export interface MarketSwapTable {
  slot: bigint;
  blockTime: Date;
  poolNumber: Fixed<number>;
  slotOrder: Generated<number>;
  index: Fixed<number>;
  month: Fixed<number>;
  isBuy: boolean;
  signature: Bytes;
  wallet: Buffer;
  baseRaw: bigint;
  quoteRaw: bigint;
  priceQuote: string;
  supplyRaw: Generated<bigint>;
  quoteUsd: string | null;
}

/** `signature` and `wallet` are expensive to compute; byte columns are free. */
export interface SwapView {
  signature: string;
  pool: string;
  index: number;
  mint: string;
  slot: bigint;
  slotOrder: number;
  blockTime: Date;
  side: SwapSide;
  wallet: string;
  baseRaw: bigint;
  quoteRaw: bigint;
  priceQuote: string;
  supplyRaw: bigint;
  quoteUsd: string | null;
  priceUsd: string | null;
  valueUsd: string | null;
  finalized: boolean;
  poolNumber: number;
  signatureBytes: Buffer;
  walletBytes: Buffer;
  month: number;
}

export interface PoolCursorTable {
  pool: Fixed<string>;
  number: GeneratedAlways<number>;
  mint: Fixed<string>;
  baseVault: string | null;
  quoteVault: string | null;
  seen: string | null;
  changedSlot: bigint | null;
  finalizedSlot: Generated<bigint>;
  baseRaw: Generated<bigint>;
  quoteRaw: Generated<bigint | null>;
  gap: string | null;
  gapSince: Date | null;
  manyAccounts: Generated<boolean>;
  swapsVersion: Generated<bigint>;
  figuresVersion: Generated<bigint>;
  figuresDueAt: Date | null;
  figuresQuoteUsd: string | null;
  stateSlot: bigint | null;
  supplyRaw: bigint | null;
  baseVaultRaw: bigint | null;
  quoteVaultRaw: bigint | null;
  priceUsdBefore: string | null;
  holdersSlot: bigint | null;
  holdersCountedAt: Date | null;
  feesSeen: string | null;
  rewardsSeen: string | null;
  updatedAt: Generated<Date>;
}

/** Written by a trigger when a token is recorded, hidden, shown or withdrawn. */
export interface TokenMarketTable {
  mint: Fixed<string>;
  listed: GeneratedAlways<boolean>;
  mode: GeneratedAlways<LaunchMode>;
  quoteMint: GeneratedAlways<string>;
  createdAt: GeneratedAlways<Date>;
  searchText: GeneratedAlways<string>;
  symbolText: GeneratedAlways<string>;
  symbolSkeleton: GeneratedAlways<string>;
  nameSkeleton: GeneratedAlways<string>;
  status: Generated<GraduationStatus>;
  priceQuote: string | null;
  priceUsd: string | null;
  marketCapUsd: string | null;
  highWaterMarketCapUsd: string | null;
  volume24hUsd: Generated<string>;
  liquidityUsd: string | null;
  priceChange24hPercent: string | null;
  holders: number | null;
  flywheel: GeneratedAlways<boolean>;
  hasAirdrop: GeneratedAlways<boolean>;
  graduatedAt: GeneratedAlways<Date | null>;
  lastSlot: bigint | null;
  updatedAt: Generated<Date>;
}

/** Counted each minute while a token trades. USD are exact decimals; null if unknown. */
export interface TokenTradingTable {
  mint: GeneratedAlways<string>;
  priceUsdBefore1h: GeneratedAlways<string | null>;
  priceUsdBefore6h: GeneratedAlways<string | null>;
  trades24h: GeneratedAlways<number>;
  traders24h: GeneratedAlways<number>;
  countedAt: GeneratedAlways<Date>;
}

/** Sums over listed tokens, written by triggers; lack unfolded changes. */
export interface TokenMarketTotalTable {
  quoteMint: GeneratedAlways<string>;
  mode: GeneratedAlways<LaunchMode>;
  status: GeneratedAlways<GraduationStatus>;
  tokens: GeneratedAlways<bigint>;
  marketCapUsd: GeneratedAlways<string>;
  volume24hUsd: GeneratedAlways<string>;
  liquidityUsd: GeneratedAlways<string>;
}

export interface TokenMarketChangeTable extends TokenMarketTotalTable {
  id: GeneratedAlways<bigint>;
}

export interface PoolProofTable {
  pool: Fixed<string>;
  since: Fixed<Date>;
  slot: bigint;
  state: Json;
}

export interface MarketStreamTable {
  isOnly: GeneratedAlways<boolean>;
  followedSlot: bigint;
  updatedAt: Generated<Date>;
}

export interface HeldAccountTable {
  mint: Fixed<string>;
  account: Fixed<string>;
  slot: Fixed<bigint>;
}

export interface SwapArchiveTable {
  number: GeneratedAlways<number>;
  month: Fixed<number>;
  file: Fixed<string>;
  swaps: Fixed<bigint>;
  sha256: Fixed<string>;
  untilSlot: Fixed<bigint>;
  changes: Fixed<bigint>;
  writtenAt: Generated<Date>;
  removedAt: Date | null;
}

/** Changes of a month since it was first archived. */
export interface SwapMonthChangeTable {
  month: Fixed<number>;
  changes: Generated<bigint>;
  /** Counted last. */
  changedBy: GeneratedAlways<bigint | null>;
}

export interface MarketTables {
  tokenMarkets: TokenMarketTable;
  tokenTrading: TokenTradingTable;
  tokenMarketTotals: TokenMarketTotalTable;
  tokenMarketChanges: TokenMarketChangeTable;
  marketSwaps: MarketSwapTable;
  swaps: SwapView;
  swapArchives: SwapArchiveTable;
  swapMonthChanges: SwapMonthChangeTable;
  poolCursors: PoolCursorTable;
  poolProofs: PoolProofTable;
  marketStream: MarketStreamTable;
  heldAccounts: HeldAccountTable;
}
