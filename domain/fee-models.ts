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

/**
 * Splits fees by specification: 50/50 % at 1 %, 75/25 % at 2 %. Of a reward launch the rewards authority holds the
 * first half.
 */
export function feeModelOf(fee: FeeMode): FeeModel {
  if (fee.mode === 'reward') return rewardModel(fee.rewardTaxBps);
  return fee.feeTier === '2%' ? standardModel('2%', 2, 7_500) : standardModel('1%', 1, 5_000);
}

function standardModel(poolFeeTier: FeeTier, poolFeePercent: number, creatorBps: number): FeeModel {
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
    poolFeeTier: '1%',
    poolFeePercent: 1,
    transferFeeBps,
    positions: [
      { holder: 'rewards', shareBps: 5_000 },
      { holder: 'platform', shareBps: 5_000 },
    ],
  };
}
