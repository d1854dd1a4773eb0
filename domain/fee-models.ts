import type { FeeTier, LaunchMode, RewardTaxBps } from './token-facts.ts';

/** Holders of a locked position's Fee Key. */
export type PositionHolder = 'creator' | 'platform' | 'rewards';

/** `bps` of the deposited supply. */
export interface PositionShare {
  readonly holder: PositionHolder;
  readonly shareBps: number;
}

export type FeeMode =
  | { readonly mode: 'standard'; readonly feeTier: FeeTier }
  | { readonly mode: 'reward'; readonly rewardTaxBps: RewardTaxBps };

export interface FeeModel {
  readonly mode: LaunchMode;
  /** A reward launch trades in a 1 % pool. */
  readonly poolFeeTier: FeeTier;
  readonly poolFeePercent: number;
  /** 0 without one. */
  readonly transferFeeBps: 0 | RewardTaxBps;
  /** First and second locked position. */
  readonly positions: readonly [PositionShare, PositionShare];
}

const REWARD_POOL_TIER: FeeTier = '1%';

interface TierFacts {
  readonly poolFeePercent: number;
  /** Of the deposited supply, in the creator's position. */
  readonly creatorBps: number;
}

const TIERS: Readonly<Record<FeeTier, TierFacts>> = {
  '1%': { poolFeePercent: 1, creatorBps: 5_000 },
  '2%': { poolFeePercent: 2, creatorBps: 7_500 },
};

/** True if the mode's coins are Token-2022 mints with a transfer tax. */
export const IS_TAXED: Readonly<Record<LaunchMode, boolean>> = { standard: false, reward: true };

/** Splits fees by specification. Of a reward launch the rewards authority holds the first half. */
export function feeModelOf(fee: FeeMode): FeeModel {
  switch (fee.mode) {
    case 'standard':
      return standardModel(fee.feeTier);
    case 'reward':
      return rewardModel(fee.rewardTaxBps);
  }
}

/** Null in a mode without tiers. */
export function feeTierOf(fee: FeeMode): FeeTier | null {
  switch (fee.mode) {
    case 'standard':
      return fee.feeTier;
    case 'reward':
      return null;
  }
}

/** Null in a mode without a tax. */
export function rewardTaxOf(fee: FeeMode): RewardTaxBps | null {
  switch (fee.mode) {
    case 'standard':
      return null;
    case 'reward':
      return fee.rewardTaxBps;
  }
}

function standardModel(poolFeeTier: FeeTier): FeeModel {
  const { poolFeePercent, creatorBps } = TIERS[poolFeeTier];
  return {
    mode: 'standard',
    poolFeeTier,
    poolFeePercent,
    transferFeeBps: 0,
    positions: [
      { holder: 'creator', shareBps: creatorBps },
      { holder: 'platform', shareBps: 10_000 - creatorBps },
    ],
  };
}

function rewardModel(transferFeeBps: RewardTaxBps): FeeModel {
  return {
    mode: 'reward',
    poolFeeTier: REWARD_POOL_TIER,
    poolFeePercent: TIERS[REWARD_POOL_TIER].poolFeePercent,
    transferFeeBps,
    positions: [
      { holder: 'rewards', shareBps: 5_000 },
      { holder: 'platform', shareBps: 5_000 },
    ],
  };
}
