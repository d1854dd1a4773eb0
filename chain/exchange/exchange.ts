import type { Keypair, PublicKey, TransactionInstruction, VersionedTransactionResponse } from '@solana/web3.js';
import type { FeeMode } from '../../domain/fee-models.ts';
import type { FeeTier } from '../../domain/token-facts.ts';
import type { LaunchAddresses, PoolOpening } from '../../domain/launch/terms.ts';
import type { TickLiquidity, TransferFee } from './pool-math.ts';

/** A mint as the exchange needs to know it. */
export interface TokenInfo {
  readonly mint: PublicKey;
  readonly decimals: number;
  readonly tokenProgram: PublicKey;
  /** Token-2022 transfer tax of the mint; absent where it has none. */
  readonly transferFee?: TransferFee;
}

/** Instructions that belong into one transaction, with the adapter's own signatures they need. */
export interface InstructionGroup {
  readonly instructions: TransactionInstruction[];
  /** Keys the adapter holds itself (the local stand-in's pool authority); empty on a real exchange. */
  readonly signers: Keypair[];
  /** Upper bound of compute units for these instructions. */
  readonly computeUnits: number;
  /** Addresses that never change and may live in the platform's lookup table. */
  readonly lookupAddresses: PublicKey[];
}

/** Rates of a pool, read from the exchange's config account. ppm = parts per million. */
export interface PoolFees {
  readonly tickSpacing: number;
  /** Trade fee in ppm of the input. */
  readonly feePpm: number;
  /** The protocol's and the fund's share of that fee, in ppm of the fee. */
  readonly protocolPpm: number;
  readonly fundPpm: number;
}

/** What must be known to plan a launch's pool. */
export interface PlanLaunchRequest {
  readonly baseMint: PublicKey;
  readonly quote: TokenInfo;
  readonly poolFeeTier: FeeTier;
  /** USD price of one whole quote token, exact decimal string. */
  readonly quotePriceUsd: string;
  readonly openingMarketCapUsd: number;
}

/** One pool side of a planned position. */
export interface PlannedPosition {
  /** Supply deposited, raw units, before a transfer tax. */
  readonly amountRaw: bigint;
  readonly liquidity: bigint;
}

/** A launch's pool, computed from its sealed terms: the same terms always give the same plan. */
export interface LaunchPlan {
  readonly opening: PoolOpening;
  readonly fees: PoolFees;
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly positions: readonly [PlannedPosition, PlannedPosition];
}

/** Parties and amounts of a launch's pool transactions. */
export interface LaunchPoolRequest {
  readonly plan: LaunchPlan;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly fee: FeeMode;
  readonly addresses: LaunchAddresses;
  /** Holders of the two Fee Keys. */
  readonly feeKeyHolders: readonly [PublicKey, PublicKey];
  /** The launch wallet, which pays rent and owns the supply and the dev buy's quote tokens. */
  readonly launchWallet: PublicKey;
  /** Exact-out dev buy straight to the creator's token account; null without. `tokensOutRaw` is what the pool gives, before a transfer tax. */
  readonly devBuy: {
    readonly tokensOutRaw: bigint;
    readonly maxQuoteInRaw: bigint;
    readonly recipientTokenAccount: PublicKey;
  } | null;
}

/** What a pool's own account says. Amounts are raw units, prices Q64.64 square roots of token1 per token0. */
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
  /** Liquidity active at the present tick: 0 where the price is outside every position. */
  readonly activeLiquidity: bigint;
  /** Slot it was read at. */
  readonly slot: number;
}

/** A stretch of an account's data, in bytes. */
export interface AccountPart {
  readonly offset: number;
  readonly length: number;
}

/** A pool as it stands on the chain, with all that a swap is quoted on. */
export interface PoolState extends PoolSummary {
  readonly fees: PoolFees;
  /** Liquidity of the two launch positions and their range; both have the same range. */
  readonly liquidity: bigint;
  readonly tickLower: number;
  readonly tickUpper: number;
  /** All initialised ticks, ascending. */
  readonly ticks: readonly TickLiquidity[];
  /** The adapter's own part of the state, for its eyes only. */
  readonly adapterState: string;
}

/** Whether a pool's base token is its token0; undefined for a pool whose swaps are of no interest. */
export type BaseSideOf = (pool: PublicKey) => boolean | undefined;

/** What a swap would do: one side is fixed, in raw units of the input (`in`) or of the output (`out`). */
export interface QuoteRequest {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly side: 'buy' | 'sell';
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
}

/**
 * A swap that the pool can fill, or the reason why it cannot. Amounts are raw units: `amountIn` leaves the trader (pool
 * fee and transfer tax included), `amountOut` reaches the trader (transfer tax deducted), `poolIn` and `poolOut` are what
 * the pool takes in and gives.
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

/** A swap to build on the state it was quoted on. */
export interface SwapRequest extends QuoteRequest {
  readonly state: PoolState;
  /** Least that must reach the trader for `in`, most that may leave the trader for `out`, raw units. */
  readonly limit: bigint;
  readonly owner: PublicKey;
  readonly inputTokenAccount: PublicKey;
  readonly outputTokenAccount: PublicKey;
}

/** A harvest of one locked position. The token accounts may be anybody's. */
export interface HarvestRequest {
  readonly pool: PoolState;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly feeKeyMint: PublicKey;
  readonly holder: PublicKey;
  readonly baseAccount: PublicKey;
  readonly quoteAccount: PublicKey;
}

/** Uncollected fees of a locked position, raw units. */
export interface Claimable {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** A locked position by its pool and Fee Key. */
export interface PositionKey {
  readonly pool: PublicKey;
  readonly feeKeyMint: PublicKey;
}

/** A launch position after locking, read from the chain. */
export interface LockedPosition {
  readonly feeKeyMint: PublicKey;
  /** Present holder of the Fee Key; null when the NFT's supply sits in no account (never after a launch). */
  readonly holder: PublicKey | null;
  readonly liquidity: bigint;
  readonly tickLower: number;
  readonly tickUpper: number;
  /** True when nobody can withdraw the liquidity any more. */
  readonly locked: boolean;
}

/** A swap as it happened, decoded from a confirmed transaction. Amounts are raw units as the pool counts them. */
export interface DecodedSwap {
  readonly pool: PublicKey;
  readonly side: 'buy' | 'sell';
  /** Wallet that paid the input. */
  readonly wallet: PublicKey;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly sqrtPriceAfterX64: bigint;
  readonly tickAfter: number;
  /** What the pool's account says of itself right after it, see `Exchange.markIn`; null where the transaction does not tell. */
  readonly mark: string | null;
}

/**
 * The port to an exchange with concentrated liquidity. Two adapters: `raydium` for real clusters and `local`, a stand-in
 * for an offline machine. Both pass the same contract suite in test/chain/exchange.
 */
export interface Exchange {
  readonly kind: 'local' | 'raydium';
  /**
   * Addresses that transactions of every pool name, for the platform's lookup table. Empty where they fit their packets
   * without one.
   */
  readonly lookupAddresses: readonly PublicKey[];
  /**
   * The part of a pool's account that no swap leaves as it was before any earlier one, not even a swap there and back: whoever knows how
   * it looked need not read the rest.
   */
  readonly tradedPart: AccountPart;
  /** What that part says by which a swap knows it that left it so. Hardly two swaps of a pool leave the same. */
  markIn(part: Buffer): string;
  /** One line for the start-up log: which exchange this is and what it is good for. */
  describe(): string;
  /** Reads the rates of a fee tier from the chain. Throws a TierClosedError when the tier is closed. */
  poolFees(tier: FeeTier): Promise<PoolFees>;
  /** Snaps the opening price to a usable tick and sizes both positions; pure. `depositRaw` is the supply that goes into the pool. */
  planLaunch(request: PlanLaunchRequest, fees: PoolFees, fee: FeeMode, depositRaw: bigint): LaunchPlan;
  /** Address of the pool that a launch of these mints will have. */
  poolAddress(baseMint: PublicKey, quoteMint: PublicKey, tier: FeeTier): PublicKey;
  /** Rent of pool, positions and locks in lamports, paid by the launch wallet. */
  launchRent(request: LaunchPoolRequest): Promise<bigint>;
  /** Third transaction of the bundle: pool, both positions, dev buy as the pool's first trade. */
  buildPool(request: LaunchPoolRequest): InstructionGroup;
  /** Fourth transaction: both positions locked for ever, Fee Keys to their holders. */
  buildLocks(request: LaunchPoolRequest): InstructionGroup;
  /** Present state, or null when there is no such pool at this commitment. */
  readPool(pool: PublicKey, commitment?: 'confirmed' | 'finalized'): Promise<PoolState | null>;
  /** Present summaries at `confirmed` in the order asked for, null where there is no pool; one call for each 100. */
  readPools(pools: readonly PublicKey[]): Promise<(PoolSummary | null)[]>;
  readLockedPosition(pool: PublicKey, feeKeyMint: PublicKey): Promise<LockedPosition | null>;
  /** Fill of a swap on a given state, to the unit; never throws for a pool too small, answers "not fillable". */
  quoteSwap(state: PoolState, request: QuoteRequest): SwapQuote;
  /** Throws a RangeError where the swap is not fillable or misses its limit. */
  buildSwap(request: SwapRequest): InstructionGroup;
  /**
   * Fees of a position now. With `state`, those that a harvest built on that state collects: exactly these where it moves
   * exact amounts, at least these where it collects whatever there is.
   */
  readClaimable(pool: PublicKey, feeKeyMint: PublicKey, state?: PoolState): Promise<Claimable>;
  /**
   * Fees of many positions, as `readClaimable` answers them, in the order asked for; null where pool or position does not
   * exist. A few calls for many positions.
   */
  readClaimables(positions: readonly PositionKey[]): Promise<(Claimable | null)[]>;
  /** Collects a locked position's fees into token accounts of anybody's. The holder must sign. */
  buildHarvest(request: HarvestRequest): Promise<InstructionGroup>;
  /**
   * Swaps of a landed transaction, in order, of the pools whose base side is known, be they launched here or not; empty when
   * it has none or failed.
   */
  decodeSwaps(transaction: VersionedTransactionResponse, baseSideOf: BaseSideOf): DecodedSwap[];
}
