import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { BurnKind } from '../../domain/burn.ts';
import type { BuybackKind, BuybackState } from '../../domain/buyback/buyback.ts';
import type { FeeSweepState } from '../../domain/fee-sweep/fee-sweep.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { RestockRoundState } from '../../domain/restock/restock.ts';
import type {
  RewardPayoutKind,
  RewardPayoutState,
  RewardRoundState,
  RewardTransactionKind,
  RewardTransactionState,
} from '../../domain/reward/reward.ts';
import type { Bytes, Fixed, PriceSource } from './columns.ts';

export interface PairInventoryTable {
  mint: Fixed<string>;
  reserveRaw: Generated<bigint>;
  restockBelowRaw: bigint | null;
  restockToRaw: bigint | null;
}

export interface RestockRoundTable {
  id: Fixed<string>;
  mint: Fixed<string>;
  state: Generated<RestockRoundState>;
  seedId: Fixed<string>;
  lamports: Fixed<bigint>;
  budgetLamports: Fixed<bigint>;
  solUsd: Fixed<string>;
  quoteUsd: Fixed<string>;
  priceSource: Fixed<PriceSource>;
  pricedAt: Fixed<Date>;
  plannedAt: Generated<Date>;
  signature: string | null;
  spentLamports: bigint | null;
  receivedRaw: bigint | null;
  reason: string | null;
  settledAt: Date | null;
}

export interface FeeSweepTable {
  mint: Fixed<string>;
  number: Fixed<number>;
  state: Generated<FeeSweepState>;
  feeKeyMint: Fixed<string | null>;
  claimableBaseRaw: Fixed<bigint | null>;
  claimableQuoteRaw: Fixed<bigint | null>;
  quoteUsd: string | null;
  priceSource: PriceSource | null;
  pricedAt: Date | null;
  baseUsd: string | null;
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
  quoteUsd: Fixed<string | null>;
  priceSource: Fixed<PriceSource | null>;
  pricedAt: Fixed<Date | null>;
  valueUsd: Fixed<string | null>;
  buybackBps: Fixed<number>;
  flywheelBps: Fixed<number>;
  signature: Fixed<string>;
  slot: Fixed<bigint>;
  harvestedAt: Fixed<Date>;
}

/** What a trigger writes with each harvest. */
export interface RevenueDayTable {
  day: GeneratedAlways<string>;
  revenueUsd: GeneratedAlways<string>;
  buybackUsd: GeneratedAlways<string>;
  flywheelUsd: GeneratedAlways<string>;
  harvests: GeneratedAlways<number>;
  unpriced: GeneratedAlways<number>;
}

export interface BurnTable {
  id: GeneratedAlways<bigint>;
  mint: Fixed<string>;
  amountRaw: Fixed<bigint>;
  signature: Fixed<string>;
  kind: Fixed<BurnKind>;
  valueUsd: Fixed<string | null>;
  burnedAt: Fixed<Date>;
}

/** What a trigger writes with each burn. */
export interface BurnDayTable {
  day: GeneratedAlways<string>;
  kind: GeneratedAlways<BurnKind>;
  valueUsd: GeneratedAlways<string>;
  burns: GeneratedAlways<number>;
  unpriced: GeneratedAlways<number>;
}

/** Why a holder of quote tokens gets no airdrop. */
export type WalletLabel = 'exchange' | 'custody' | 'treasury' | 'program';

export interface LabelledWalletTable {
  address: Fixed<string>;
  label: WalletLabel;
  note: string | null;
  addedBy: string;
  addedAt: Generated<Date>;
}

export interface RecipientSetTable {
  hash: Fixed<string>;
  document: Bytes;
  keepUntil: Date;
}

export interface AirdropTable {
  quoteId: Fixed<string>;
  mint: Fixed<string>;
  shareRaw: Fixed<bigint>;
  recipientsHash: Fixed<string>;
  recipientsUri: Fixed<string>;
  plannedAt: Generated<Date>;
  tries: Generated<number>;
  triedAt: Date | null;
  problem: string | null;
  deliveredAt: Date | null;
}

export interface AirdropBatchTable {
  quoteId: Fixed<string>;
  batch: Fixed<number>;
  signature: string | null;
  slot: bigint | null;
  deliveredAt: Date | null;
}

export interface AirdropShareTable {
  quoteId: Fixed<string>;
  position: Fixed<number>;
  wallet: Fixed<string>;
  amountRaw: Fixed<bigint>;
  batch: Fixed<number>;
}

export interface RewardTokenTable {
  mint: Fixed<string>;
  seedId: Fixed<string>;
  pot: Fixed<string>;
  lookedAt: Generated<Date>;
  paidRaw: Generated<bigint>;
  paidUsd: Generated<string>;
  transactions: Generated<number>;
  rounds: Generated<number>;
  lastPaidAt: Date | null;
}

export interface RewardRoundTable {
  id: Fixed<string>;
  mint: Fixed<string>;
  number: Fixed<number>;
  state: RewardRoundState;
  openedSlot: Fixed<bigint>;
  sellAt: Fixed<Date>;
  plannedAt: Generated<Date>;
  saleAverage: string | null;
  saleNote: string | null;
  averagePrice: string | null;
  quoteUsd: string | null;
  solUsd: string | null;
  priceSource: string | null;
  pricedAt: Date | null;
  budgetRaw: bigint | null;
  holders: number | null;
  note: string | null;
  problem: string | null;
  problemAt: Date | null;
  tries: Generated<number>;
  endedAt: Date | null;
}

export interface RewardSnapshotTable {
  roundId: Fixed<string>;
  n: Fixed<number>;
  seenSlot: Fixed<bigint>;
  blockhash: Fixed<string>;
  slot: Fixed<bigint>;
  readSlot: bigint | null;
  balances: ColumnType<object | null, string | null, string | null>;
}

export interface RewardTransactionTable {
  roundId: Fixed<string>;
  n: Fixed<number>;
  mint: Fixed<string>;
  kind: Fixed<RewardTransactionKind>;
  state: Generated<RewardTransactionState>;
  sources: Fixed<string[] | null>;
  baseRaw: Generated<bigint>;
  quoteRaw: Generated<bigint>;
  paidRaw: Generated<bigint>;
  recipients: Generated<number>;
  valueUsd: string | null;
  signature: string | null;
  slot: bigint | null;
  landedAt: Date | null;
}

export interface RewardPayoutTable {
  roundId: Fixed<string>;
  owner: Fixed<string>;
  kind: Generated<RewardPayoutKind>;
  n: Fixed<number>;
  state: Generated<RewardPayoutState>;
  balanceRaw: Fixed<bigint>;
  amountRaw: Fixed<bigint>;
  rentRaw: Fixed<bigint>;
}

export interface BuybackBudgetTable {
  kind: GeneratedAlways<BuybackKind>;
  quoteMint: GeneratedAlways<string>;
  /** A trigger adds to it with each harvest. */
  allocatedRaw: GeneratedAlways<bigint>;
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
  quoteUsd: string | null;
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
