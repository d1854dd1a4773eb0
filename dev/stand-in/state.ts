import type { PublicKey } from '@solana/web3.js';
import type { FeeTier } from '../../domain/token-facts.ts';
import type { Claimable, LaunchPlan, PoolFees } from '../../chain/exchange/exchange.ts';
import { OUTERMOST_TICK } from '../../chain/exchange/opening.ts';
import {
  claimableFees,
  type InitialisedTick,
  type SwapOutcome,
  type SwapPool,
  wrappingAdd128,
} from '../../chain/exchange/pool-math.ts';

/** Amounts of token0 and token1. */
export type Pair = readonly [bigint, bigint];

export interface LastTrade {
  readonly zeroForOne: boolean;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

export interface StandInState {
  /** 1, plus one per swap and harvest. */
  readonly sequence: number;
  readonly tier: FeeTier;
  readonly baseIsToken0: boolean;
  readonly openTick: number;
  readonly liquidity: Pair;
  /** Six bytes of the mints, hex. */
  readonly feeKeyTags: readonly [string, string];
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  readonly growthX64: Pair;
  /** At each position's last harvest, which pays everything. */
  readonly collectedX64: readonly [Pair, Pair];
  readonly trade: LastTrade | null;
}

/** Fees as on mainnet in 2026. */
const FEE_PPM = { '1%': 10_000, '2%': 20_000 } as const satisfies Record<FeeTier, number>;

export function localFees(tier: FeeTier): PoolFees {
  return { tickSpacing: 120, feePpm: FEE_PPM[tier], protocolPpm: 120_000, fundPpm: 40_000 };
}

export function feeKeyTag(mint: PublicKey): string {
  return Buffer.from(mint.toBytes().subarray(0, 6)).toString('hex');
}

export function openingState(
  plan: LaunchPlan,
  tier: FeeTier,
  feeKeyMints: readonly [PublicKey, PublicKey],
): StandInState {
  return {
    sequence: 1,
    tier,
    baseIsToken0: plan.opening.baseIsToken0,
    openTick: plan.opening.tick,
    liquidity: [plan.positions[0].liquidity, plan.positions[1].liquidity],
    feeKeyTags: [feeKeyTag(feeKeyMints[0]), feeKeyTag(feeKeyMints[1])],
    sqrtPriceX64: BigInt(plan.opening.sqrtPriceX64),
    tick: plan.opening.tick,
    growthX64: [0n, 0n],
    collectedX64: [
      [0n, 0n],
      [0n, 0n],
    ],
    trade: null,
  };
}

export function rangeOf(state: StandInState): { tickLower: number; tickUpper: number } {
  return state.baseIsToken0
    ? { tickLower: state.openTick, tickUpper: OUTERMOST_TICK }
    : { tickLower: -OUTERMOST_TICK, tickUpper: state.openTick };
}

export function swapPoolOf(
  state: StandInState,
): Omit<SwapPool, 'ticks'> & { readonly ticks: readonly InitialisedTick[] } {
  const { tickLower, tickUpper } = rangeOf(state);
  const total = state.liquidity[0] + state.liquidity[1];
  const active = state.tick >= tickLower && state.tick < tickUpper;
  return {
    sqrtPriceX64: state.sqrtPriceX64,
    tick: state.tick,
    liquidity: active ? total : 0n,
    ticks: [
      { tick: tickLower, liquidityNet: total, liquidityGross: total },
      { tick: tickUpper, liquidityNet: -total, liquidityGross: total },
    ],
  };
}

export function afterSwap(state: StandInState, outcome: SwapOutcome, zeroForOne: boolean): StandInState {
  const add = ([zero, one]: Pair, value: bigint): Pair => (zeroForOne ? [zero + value, one] : [zero, one + value]);
  const [growth0, growth1] = add(state.growthX64, outcome.feeGrowthX64);
  return {
    ...state,
    sequence: state.sequence + 1,
    sqrtPriceX64: outcome.sqrtPriceX64,
    tick: outcome.tick,
    growthX64: [wrappingAdd128(growth0, 0n), wrappingAdd128(growth1, 0n)],
    trade: { zeroForOne, amountIn: outcome.amountIn, amountOut: outcome.amountOut },
  };
}

/** The same object if nothing was due. Follows from the previous state: a harvest needs no memo. */
export function afterHarvest(state: StandInState, position: 0 | 1): StandInState {
  const { baseRaw, quoteRaw } = claimableOf(state, position);
  if (baseRaw === 0n && quoteRaw === 0n) return state;
  const [first, second] = state.collectedX64;
  return {
    ...state,
    sequence: state.sequence + 1,
    collectedX64: position === 0 ? [state.growthX64, second] : [first, state.growthX64],
    trade: null,
  };
}

export function withHarvests(state: StandInState): StandInState[] {
  const first = afterHarvest(state, 0);
  return [state, first, afterHarvest(state, 1), afterHarvest(first, 1)];
}

/** Throws for another pool's Fee Key. */
export function positionOf(state: StandInState, feeKeyMint: PublicKey): 0 | 1 {
  const index = state.feeKeyTags.indexOf(feeKeyTag(feeKeyMint));
  if (index !== 0 && index !== 1) throw new Error(`${feeKeyMint.toBase58()} is no Fee Key of this pool`);
  return index;
}

/** Fees of a position. Both opened before the first trade: the growth inside is the pool's. */
export function claimableOf(state: StandInState, position: 0 | 1): Claimable {
  const [last0, last1] = state.collectedX64[position];
  const owed0 = claimableFees(0n, state.growthX64[0], last0, state.liquidity[position]);
  const owed1 = claimableFees(0n, state.growthX64[1], last1, state.liquidity[position]);
  return state.baseIsToken0 ? { baseRaw: owed0, quoteRaw: owed1 } : { baseRaw: owed1, quoteRaw: owed0 };
}
