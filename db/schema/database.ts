import type { AirdropBatchTable, AirdropShareTable, AirdropTable, RecipientSetTable } from './airdrop.ts';
import type { BurnDayTable, BurnSumTable, BurnTable } from './burns.ts';
import type { BuybackBudgetTable, BuybackRoundTable, FlywheelTokenTable } from './buyback.ts';
import type { ClaimIntentTable, ClaimNonceTable } from './claim.ts';
import type { FeeHarvestTable, FeeSweepTable, RevenueDayTable } from './fee-sweep.ts';
import type { PairInventoryTable } from './inventory.ts';
import type {
  LaunchAddressTable,
  LaunchLogoTable,
  LaunchSignatureTable,
  LaunchStateHistoryTable,
  LaunchTable,
} from './launch.ts';
import type { PoolCursorTable, SwapTable, TokenMarketTable } from './market.ts';
import type { ChainTransactionTable, LaneStepTable, LaneTable } from './money.ts';
import type { PairCategoryTable, PairTable, PriceObservationTable } from './pairs.ts';
import type {
  AuditLogTable,
  EnvironmentTable,
  LabelledWalletTable,
  RateCounterTable,
  SwitchTable,
} from './platform.ts';
import type { BookCheckTable, BookFindingTable } from './reconcile.ts';
import type { RestockRoundTable } from './restock.ts';
import type {
  RewardCorrectionTable,
  RewardHolderTable,
  RewardPayoutTable,
  RewardRoundTable,
  RewardSnapshotTable,
  RewardTokenTable,
  RewardTransactionTable,
} from './reward.ts';
import type { PositionTable, TokenTable } from './tokens.ts';

/**
 * The tables as the migrations make them; a test compares the two. Columns are camelCase here and snake_case in SQL.
 * `bigint`, `numeric(n, 0)` come back as bigint, numerics with a scale as exact decimal strings, `timestamptz` as Date.
 */
export interface Database {
  environment: EnvironmentTable;
  switches: SwitchTable;
  auditLog: AuditLogTable;
  pairCategories: PairCategoryTable;
  pairs: PairTable;
  priceObservations: PriceObservationTable;
  launchAddresses: LaunchAddressTable;
  launches: LaunchTable;
  launchLogos: LaunchLogoTable;
  launchSignatures: LaunchSignatureTable;
  launchStateHistory: LaunchStateHistoryTable;
  chainTransactions: ChainTransactionTable;
  lanes: LaneTable;
  laneSteps: LaneStepTable;
  tokens: TokenTable;
  tokenMarkets: TokenMarketTable;
  positions: PositionTable;
  claimNonces: ClaimNonceTable;
  claimIntents: ClaimIntentTable;
  pairInventory: PairInventoryTable;
  restockRounds: RestockRoundTable;
  swaps: SwapTable;
  poolCursors: PoolCursorTable;
  feeSweeps: FeeSweepTable;
  feeHarvests: FeeHarvestTable;
  revenueDays: RevenueDayTable;
  burns: BurnTable;
  burnDays: BurnDayTable;
  burnSums: BurnSumTable;
  labelledWallets: LabelledWalletTable;
  recipientSets: RecipientSetTable;
  airdrops: AirdropTable;
  airdropBatches: AirdropBatchTable;
  airdropShares: AirdropShareTable;
  buybackBudgets: BuybackBudgetTable;
  buybackRounds: BuybackRoundTable;
  flywheelTokens: FlywheelTokenTable;
  rewardTokens: RewardTokenTable;
  rewardHolders: RewardHolderTable;
  rewardRounds: RewardRoundTable;
  rewardSnapshots: RewardSnapshotTable;
  rewardTransactions: RewardTransactionTable;
  rewardPayouts: RewardPayoutTable;
  rewardCorrections: RewardCorrectionTable;
  bookFindings: BookFindingTable;
  bookChecks: BookCheckTable;
  rateCounters: RateCounterTable;
}
