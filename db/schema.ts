import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from 'kysely';
import type { Lamports } from '../domain/amounts.ts';
import type { ChainTransactionStatus } from '../domain/chain-transaction.ts';
import type { ClaimRefusal, ClaimState } from '../domain/claim/state.ts';
import type { PositionHolder } from '../domain/fee-models.ts';
import type { FeeTier, LaunchMode, RewardTaxBps } from '../domain/token-facts.ts';
import type { LaunchState } from '../domain/launch/state.ts';
import type { Purpose } from '../domain/purpose.ts';
import type { SwitchName, SwitchValue } from '../domain/switches.ts';
import type { Bytes, Fixed, Json, PriceSource } from './schema/columns.ts';
import type { LaneStepTable, LaneTable } from './schema/lanes.ts';
import type { PoolCursorTable, SwapTable } from './schema/market.ts';
import type {
  AirdropBatchTable,
  AirdropShareTable,
  AirdropTable,
  BurnDayTable,
  BurnTable,
  BuybackBudgetTable,
  BuybackRoundTable,
  FeeHarvestTable,
  FeeSweepTable,
  FlywheelTokenTable,
  LabelledWalletTable,
  PairInventoryTable,
  RecipientSetTable,
  RestockRoundTable,
  RevenueDayTable,
  RewardPayoutTable,
  RewardRoundTable,
  RewardSnapshotTable,
  RewardTokenTable,
  RewardTransactionTable,
} from './schema/rounds.ts';

export type { PriceSource } from './schema/columns.ts';
export type * from './schema/lanes.ts';
export type * from './schema/market.ts';
export type * from './schema/rounds.ts';

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
  labelledWallets: LabelledWalletTable;
  recipientSets: RecipientSetTable;
  airdrops: AirdropTable;
  airdropBatches: AirdropBatchTable;
  airdropShares: AirdropShareTable;
  buybackBudgets: BuybackBudgetTable;
  buybackRounds: BuybackRoundTable;
  flywheelTokens: FlywheelTokenTable;
  rewardTokens: RewardTokenTable;
  rewardRounds: RewardRoundTable;
  rewardSnapshots: RewardSnapshotTable;
  rewardTransactions: RewardTransactionTable;
  rewardPayouts: RewardPayoutTable;
  rateCounters: RateCounterTable;
}

export interface EnvironmentTable {
  singleton: Generated<boolean>;
  environment: Fixed<string>;
  genesisHash: Fixed<string>;
  claimedAt: Generated<Date>;
}

export interface SwitchTable {
  name: Fixed<SwitchName>;
  value: SwitchValue;
  changedBy: string;
  changedAt: Generated<Date>;
}

export interface AuditLogTable {
  id: GeneratedAlways<bigint>;
  at: Generated<Date>;
  actor: Fixed<string>;
  action: Fixed<string>;
  subject: Fixed<string>;
  note: Fixed<string | null>;
  details: ColumnType<object, string | undefined, never>;
}

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
}

export interface PriceObservationTable {
  id: GeneratedAlways<bigint>;
  mint: Fixed<string>;
  usd: Fixed<string>;
  source: Fixed<string>;
  observedAt: Fixed<Date>;
  recordedAt: Generated<Date>;
}

export interface LaunchAddressTable {
  quoteId: Fixed<string>;
  seedId: Fixed<string>;
  genesisHash: Fixed<string>;
  launchWallet: Fixed<string>;
  mint: Fixed<string>;
  positionMints: Fixed<string[]>;
  feeKeyMints: Fixed<string[]>;
  createdAt: Generated<Date>;
  takenAt: Date | null;
}

export interface LaunchTable {
  quoteId: Fixed<string>;
  terms: ColumnType<object, string, never>;
  state: LaunchState;
  reason: string | null;
  blockedReason: string | null;
  seedId: Fixed<string>;
  creator: Fixed<string>;
  mint: Fixed<string>;
  mode: Fixed<LaunchMode>;
  quoteMint: Fixed<string>;
  name: Fixed<string>;
  symbol: Fixed<string>;
  paymentLamports: Fixed<Lamports>;
  submittedSignature: Fixed<string>;
  submittedWire: Bytes;
  paymentSignature: string | null;
  refundSignature: string | null;
  slot: bigint | null;
  submittedAt: Generated<Date>;
  launchedAt: Date | null;
  completedAt: Date | null;
  finalizedAt: Date | null;
  sweptAt: Date | null;
  updatedAt: Generated<Date>;
  client: string | null;
  sweepTries: Generated<number>;
  sweepAfter: Generated<Date>;
}

export interface LaunchLogoTable {
  quoteId: Fixed<string>;
  contentType: Fixed<string>;
  bytes: Bytes;
}

export type LaunchSignatureKind = 'submitted' | 'alias' | 'landed';

export interface LaunchSignatureTable {
  signature: Fixed<string>;
  quoteId: Fixed<string>;
  kind: LaunchSignatureKind;
  addedAt: Generated<Date>;
}

export interface LaunchStateHistoryTable {
  id: GeneratedAlways<bigint>;
  quoteId: Fixed<string>;
  state: Fixed<LaunchState>;
  slot: Fixed<bigint | null>;
  at: Generated<Date>;
  note: Fixed<string | null>;
}

export interface ChainTransactionTable {
  purpose: Fixed<Purpose>;
  attempt: Fixed<number>;
  signature: Fixed<string>;
  wire: Bytes;
  blockhash: Fixed<string>;
  blockhashSlot: Fixed<bigint>;
  lastValidBlockHeight: Fixed<bigint>;
  status: Generated<ChainTransactionStatus>;
  slot: bigint | null;
  error: string | null;
  errorFinalized: Generated<boolean>;
  signedAt: Generated<Date>;
  broadcastAt: Date | null;
  landedAt: Date | null;
  settledAt: Date | null;
  updatedAt: Generated<Date>;
  lane: Fixed<number | null>;
  stepNumber: Fixed<number | null>;
  stepTo: Fixed<bigint | null>;
}

export type GraduationStatus = 'new' | 'aboutToGraduate' | 'graduated';

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
}

/** What a trigger writes when a token is recorded, hidden, shown or withdrawn. */
export interface TokenMarketTable {
  mint: Fixed<string>;
  listed: GeneratedAlways<boolean>;
  mode: GeneratedAlways<LaunchMode>;
  quoteMint: GeneratedAlways<string>;
  createdAt: GeneratedAlways<Date>;
  searchText: GeneratedAlways<string>;
  symbolText: GeneratedAlways<string>;
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
  lastSlot: bigint | null;
  updatedAt: Generated<Date>;
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

export interface ClaimNonceTable {
  mint: Fixed<string>;
  nonceAccount: string;
  authority: string;
  createdAt: Generated<Date>;
}

export interface ClaimIntentTable {
  intentId: Fixed<string>;
  mint: Fixed<string>;
  wallet: Fixed<string>;
  feeKeyMint: Fixed<string>;
  nonceAccount: Fixed<string>;
  nonce: Fixed<string>;
  message: Bytes;
  baseRaw: bigint;
  quoteRaw: bigint;
  issuedSlot: Fixed<bigint>;
  holdsFeeKey: Fixed<boolean>;
  state: Generated<ClaimState>;
  signature: string | null;
  refusal: ClaimRefusal | null;
  reason: string | null;
  slot: bigint | null;
  issuedAt: Generated<Date>;
  expiresAt: Date;
  submittedAt: Date | null;
  relayedAt: Date | null;
  settledAt: Date | null;
  updatedAt: Generated<Date>;
}

export interface RateCounterTable {
  key: Fixed<string>;
  count: number;
  endsAt: Date;
}

export type ChainTransaction = Selectable<ChainTransactionTable>;
export type NewPair = Insertable<PairTable>;
export type Pair = Selectable<PairTable>;
