import type { Keypair, PublicKey, TransactionInstruction, VersionedTransactionResponse } from '@solana/web3.js';
import type { FeeMode } from '../../domain/fee-models.ts';
import type { FeeTier } from '../../domain/token-facts.ts';
import type { LaunchAddresses, PoolOpening } from '../../domain/launch/terms.ts';
import type { InitialisedTick } from './pool-math.ts';
import type { TokenInfo } from '../tokens/token.ts';

/** Instructions that must share one transaction. */
export interface InstructionGroup {
  readonly instructions: TransactionInstruction[];
  /** The adapter's; none on a real exchange. */
  readonly signers: Keypair[];
  /** Upper bound. */
  readonly computeUnits: number;
  /** For the platform's lookup table. */
  readonly lookupAddresses: PublicKey[];
}

export interface PoolFees {
  readonly tickSpacing: number;
  /** ppm of the input. */
  readonly feePpm: number;
  /** ppm of that fee. */
  readonly protocolPpm: number;
  readonly fundPpm: number;
}

export interface PlanLaunchRequest {
  readonly baseMint: PublicKey;
  readonly quote: TokenInfo;
  readonly poolFeeTier: FeeTier;
  /** Exact decimal. */
  readonly quotePriceUsd: string;
  readonly openingMarketCapUsd: number;
}

export interface PlannedPosition {
  /** Before transfer tax, raw. */
  readonly amountRaw: bigint;
  readonly liquidity: bigint;
}

/** A launch derived from sealed terms; deterministic. */
export interface LaunchPlan {
  readonly opening: PoolOpening;
  readonly fees: PoolFees;
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly positions: readonly [PlannedPosition, PlannedPosition];
}

export interface LaunchPoolRequest {
  readonly plan: LaunchPlan;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly fee: FeeMode;
  readonly addresses: LaunchAddresses;
  readonly feeKeyHolders: readonly [PublicKey, PublicKey];
  /** Pays rent; holds supply and the dev buy's quote tokens. */
  readonly launchWallet: PublicKey;
  /** Exact out, to the creator's account; `tokensOutRaw` is before tax. */
  readonly devBuy: {
    readonly tokensOutRaw: bigint;
    readonly maxQuoteInRaw: bigint;
    readonly recipientTokenAccount: PublicKey;
  } | null;
}

/** Amounts are raw; prices Q64.64 square roots of token1 per token0. */
export interface PoolSummary {
  readonly pool: PublicKey;
  readonly token0: PublicKey;
  readonly token1: PublicKey;
  readonly vault0: PublicKey;
  readonly vault1: PublicKey;
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  readonly feeGrowth0X64: bigint;
  readonly feeGrowth1X64: bigint;
  /** 0 outside every position. */
  readonly activeLiquidity: bigint;
  readonly slot: number;
}

/** A byte range. */
export interface AccountPart {
  readonly offset: number;
  readonly length: number;
}

export interface PoolState extends PoolSummary {
  readonly fees: PoolFees;
  /** Of the two launch positions, which share one range. */
  readonly liquidity: bigint;
  readonly tickLower: number;
  readonly tickUpper: number;
  /** Ascending. */
  readonly ticks: readonly InitialisedTick[];
  /** The adapter's own. */
  readonly adapterState: string;
}

/** Tells whether the base token is the pool's token0; undefined ignores the pool. */
export type BaseSideOf = (pool: PublicKey) => boolean | undefined;

/** `amount`: raw, of the input (`in`) or output (`out`). */
export interface QuoteRequest {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly side: 'buy' | 'sell';
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
}

/**
 * A quote in raw amounts. `amountIn` leaves the trader with fee and tax; `amountOut` arrives after tax; `poolIn` and
 * `poolOut` are the pool's side.
 */
export type SwapQuote =
  | {
      readonly fillable: true;
      readonly amountIn: bigint;
      readonly amountOut: bigint;
      readonly poolIn: bigint;
      readonly poolOut: bigint;
      readonly sqrtPriceAfterX64: bigint;
      readonly tickAfter: number;
    }
  | { readonly fillable: false; readonly reason: string };

export interface SwapRequest extends QuoteRequest {
  readonly state: PoolState;
  /** Least output (`in`), most input (`out`), raw. */
  readonly limit: bigint;
  readonly owner: PublicKey;
  readonly inputTokenAccount: PublicKey;
  readonly outputTokenAccount: PublicKey;
}

/** A harvest; the accounts may be of any owner. */
export interface HarvestRequest {
  readonly pool: PoolState;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly feeKeyMint: PublicKey;
  readonly holder: PublicKey;
  readonly baseAccount: PublicKey;
  readonly quoteAccount: PublicKey;
}

/** Uncollected fees, raw. */
export interface Claimable {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

export interface PositionKey {
  readonly pool: PublicKey;
  readonly feeKeyMint: PublicKey;
}

export interface LockedPosition {
  readonly feeKeyMint: PublicKey;
  /** Null without a holder (never after a launch). */
  readonly holder: PublicKey | null;
  readonly liquidity: bigint;
  readonly tickLower: number;
  readonly tickUpper: number;
  /** The liquidity can never be withdrawn. */
  readonly locked: boolean;
}

/** A swap in raw amounts, as the pool counts them. */
export interface DecodedSwap {
  readonly pool: PublicKey;
  readonly side: 'buy' | 'sell';
  readonly wallet: PublicKey;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly sqrtPriceAfterX64: bigint;
  readonly tickAfter: number;
  /** After the swap (`Exchange.markIn`); null if not shown. */
  readonly mark: string | null;
}

/** A deposit into a pool, or a withdrawal, in units of liquidity. */
export interface LiquidityChange {
  readonly tickLower: number;
  readonly tickUpper: number;
  /** Negative if withdrawn. */
  readonly delta: bigint;
  /** Number of swaps of the pool before it in the transaction. */
  readonly afterSwaps: number;
}

export interface LaunchPools {
  /** For the lookup table; empty if packets fit without. */
  readonly lookupAddresses: readonly PublicKey[];
  /** Throws a TierClosedError. */
  poolFees(tier: FeeTier): Promise<PoolFees>;
  /**
   * Plans without side effects: snaps the opening price to a usable tick and sizes both positions; `depositRaw` goes
   * into the pool.
   */
  planLaunch(request: PlanLaunchRequest, fees: PoolFees, fee: FeeMode, depositRaw: bigint): LaunchPlan;
  poolAddress(baseMint: PublicKey, quoteMint: PublicKey, tier: FeeTier): PublicKey;
  /** Returns the lamports of pool, positions and locks, which the launch wallet pays. */
  launchRent(request: LaunchPoolRequest): Promise<bigint>;
  /** Builds the third transaction: pool, both positions, dev buy as first trade. */
  buildPool(request: LaunchPoolRequest): InstructionGroup;
  /** Builds the fourth transaction: locks both positions for ever, delivers the Fee Keys. */
  buildLocks(request: LaunchPoolRequest): InstructionGroup;
}

export interface PoolReads {
  /** Every swap changes it to a new value, even a swap and its reverse: unchanged, the rest need not be read. */
  readonly tradedPart: AccountPart;
  /** Identifies the swap that left this `tradedPart`; two rarely share one. */
  markIn(part: Buffer): string;
  /** Null if absent. */
  readPool(pool: PublicKey, commitment?: 'confirmed' | 'finalized'): Promise<PoolState | null>;
  /** Reads pools at `confirmed`, in order; null if absent. One call per 100. */
  readPools(pools: readonly PublicKey[]): Promise<(PoolSummary | null)[]>;
  readLockedPosition(pool: PublicKey, feeKeyMint: PublicKey): Promise<LockedPosition | null>;
  /** Decodes swaps in order, of pools with a known base side, launched here or not. Empty if the transaction failed. */
  decodeSwaps(transaction: VersionedTransactionResponse, baseSideOf: BaseSideOf): DecodedSwap[];
  /** Decodes what a transaction did to the pool's liquidity, in order. Empty if it failed. */
  decodeLiquidity(transaction: VersionedTransactionResponse, pool: PublicKey): LiquidityChange[];
}

export interface PoolTrades {
  /** Quotes exactly on this state; returns "not fillable" rather than throwing. */
  quoteSwap(state: PoolState, request: QuoteRequest): SwapQuote;
  /** Throws a RangeError if not fillable or beyond its limit. */
  buildSwap(request: SwapRequest): InstructionGroup;
}

export interface PoolHarvests {
  /** Reads what a harvest collects, on `state` if given: exactly if the adapter moves exact amounts, else at least. */
  readClaimable(pool: PublicKey, feeKeyMint: PublicKey, state?: PoolState): Promise<Claimable>;
  /** Reads in few calls, in order; null without pool or position. */
  readClaimables(positions: readonly PositionKey[]): Promise<(Claimable | null)[]>;
  /** The holder must sign. */
  buildHarvest(request: HarvestRequest): Promise<InstructionGroup>;
}

/**
 * Port to an exchange with concentrated liquidity: `raydium`, or the stand-in of `dev`. Both pass the contract suite in
 * test/support/exchange.
 */
export interface Exchange extends LaunchPools, PoolReads, PoolTrades, PoolHarvests {
  /** As `GET /stats` shows it. */
  readonly kind: string;
  describe(): string;
}
