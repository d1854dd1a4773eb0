import type { ColumnType, Generated, GeneratedAlways, Insertable, JSONColumnType, Selectable } from 'kysely';
import type { Lamports } from '../domain/amounts.ts';
import type { BurnKind } from '../domain/burn.ts';
import type { BuybackKind, BuybackState } from '../domain/buyback.ts';
import type { ChainTransactionStatus } from '../domain/chain-transaction.ts';
import type { ClaimRefusal, ClaimState } from '../domain/claim-state.ts';
import type { PositionHolder } from '../domain/fee-models.ts';
import type { FeeSweepState } from '../domain/fee-sweep.ts';
import type { FeeTier, LaunchMode, RewardTaxBps } from '../domain/launch-facts.ts';
import type { LaunchState } from '../domain/launch-state.ts';
import type { Purpose } from '../domain/purpose.ts';
import type { RestockRoundState } from '../domain/restock.ts';
import type {
  RewardPayoutKind,
  RewardPayoutState,
  RewardRoundState,
  RewardTransactionKind,
  RewardTransactionState,
} from '../domain/rewards.ts';
import type { SwitchName, SwitchValue } from '../domain/switches.ts';

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
}

/** JSON that leaves the database unparsed: a schema turns it into a type at the border. */
type Json = JSONColumnType<object>;

/** A column that never changes after the row was written. */
type Fixed<T> = ColumnType<T, T, never>;

/** bytea, fixed once written. */
type Bytes = ColumnType<Buffer, Uint8Array, never>;

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
export type PriceSource = 'fixed' | 'pyth' | 'jupiter';

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

export type SwapSide = 'buy' | 'sell';

/** A swap is written once; only a fork (slot, order, time) and finality change it later. */
export interface SwapTable {
  signature: Fixed<string>;
  pool: Fixed<string>;
  index: Fixed<number>;
  mint: Fixed<string>;
  slot: bigint;
  slotOrder: Generated<number>;
  blockTime: Date;
  side: SwapSide;
  wallet: string;
  baseRaw: bigint;
  quoteRaw: bigint;
  priceQuote: string;
  supplyRaw: Generated<bigint>;
  quoteUsd: string | null;
  priceUsd: string | null;
  valueUsd: string | null;
  finalized: Generated<boolean>;
}

export interface PoolCursorTable {
  pool: Fixed<string>;
  mint: Fixed<string>;
  baseVault: string | null;
  quoteVault: string | null;
  seen: string | null;
  changedSlot: bigint | null;
  finalizedSlot: Generated<bigint>;
  baseRaw: Generated<bigint>;
  gap: string | null;
  gapSince: Date | null;
  figuresDueAt: Date | null;
  figuresQuoteUsd: string | null;
  holdersSlot: bigint | null;
  holdersCountedAt: Date | null;
  feesSeen: string | null;
  updatedAt: Generated<Date>;
}

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

export type ChainTransaction = Selectable<ChainTransactionTable>;
export type NewPair = Insertable<PairTable>;
export type Pair = Selectable<PairTable>;
