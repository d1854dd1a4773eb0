import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { AccountFaultReason, LeftOutReason } from '../../domain/reward/left-out.ts';
import type {
  RewardPayoutKind,
  RewardPayoutState,
  RewardRoundState,
  RewardTransactionKind,
  RewardTransactionState,
} from '../../domain/reward/state.ts';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';
import type { Fixed } from './columns.ts';

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
  payouts: Generated<number>;
  holders: Generated<number>;
}

export interface RewardRoundTable {
  id: Fixed<string>;
  mint: Fixed<string>;
  number: Fixed<number>;
  state: RewardRoundState;
  openedSlot: Fixed<bigint>;
  windowSlot: bigint | null;
  windowSlots: number | null;
  sellAt: Date | null;
  plannedAt: Generated<Date>;
  saleAverage: string | null;
  saleNote: string | null;
  averagePrice: string | null;
  quoteUsd: SpendableUsd | null;
  solUsd: SpendableUsd | null;
  priceSource: string | null;
  pricedAt: Date | null;
  budgetRaw: bigint | null;
  holders: number | null;
  minimumRaw: bigint | null;
  sealedRoot: string | null;
  leastPayoutRaw: bigint | null;
  note: string | null;
  problem: string | null;
  problemAt: Date | null;
  tries: Generated<number>;
  endedAt: Date | null;
}

export interface RewardSnapshotTable {
  roundId: Fixed<string>;
  n: Fixed<number>;
  slot: Fixed<bigint>;
  blockhash: Fixed<string>;
  readSlot: Fixed<bigint>;
  answerSlots: Fixed<bigint[]>;
  quorum: Fixed<number>;
  balances: ColumnType<object | null, string | null, string | null>;
  withheld: ColumnType<object | null, string | null, string | null>;
  otherAccounts: ColumnType<object | null, string | null, string | null>;
}

export interface RewardTransactionTable {
  roundId: Fixed<string>;
  n: Fixed<number>;
  mint: Fixed<string>;
  kind: RewardTransactionKind;
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
  root: string | null;
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
  fault: AccountFaultReason | null;
  paidAt: Date | null;
}

export interface RewardLeftOutTable {
  roundId: Fixed<string>;
  owner: Fixed<string>;
  reason: Fixed<LeftOutReason>;
  balanceRaw: Fixed<bigint>;
}

export interface RewardLeftOutCountTable {
  roundId: Fixed<string>;
  reason: Fixed<LeftOutReason>;
  owners: number;
}

export interface RewardHolderTable {
  mint: GeneratedAlways<string>;
  owner: GeneratedAlways<string>;
}

export interface RewardCorrectionTable {
  id: GeneratedAlways<bigint>;
  mint: Fixed<string>;
  baseRaw: Fixed<bigint>;
  quoteRaw: Fixed<bigint>;
  correctedAt: Generated<Date>;
}

export interface PotSumTable {
  mint: GeneratedAlways<string>;
  baseRaw: GeneratedAlways<bigint>;
  quoteRaw: GeneratedAlways<bigint>;
}

export interface RewardTables {
  potSums: PotSumTable;
  rewardTokens: RewardTokenTable;
  rewardHolders: RewardHolderTable;
  rewardRounds: RewardRoundTable;
  rewardSnapshots: RewardSnapshotTable;
  rewardTransactions: RewardTransactionTable;
  rewardPayouts: RewardPayoutTable;
  rewardLeftOut: RewardLeftOutTable;
  rewardLeftOutCounts: RewardLeftOutCountTable;
  rewardCorrections: RewardCorrectionTable;
}
