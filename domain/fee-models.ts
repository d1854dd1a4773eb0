import type { FeeTier, LaunchMode, RewardTaxBps } from './token-facts.ts';

/** Who holds the Fee Key of a locked position. */
export type PositionHolder = 'creator' | 'platform' | 'rewards';

/** One of the two locked positions of a launch: its holder and its share of the deposited supply, in bps. */
export interface PositionShare {
  readonly holder: PositionHolder;
  readonly shareBps: number;
}

/** The fee mode chosen at launch; exactly one of the two parameters applies. */
export type FeeMode =
  | { readonly mode: 'standard'; readonly feeTier: FeeTier }
  | { readonly mode: 'reward'; readonly rewardTaxBps: RewardTaxBps };

/** Everything that follows from a fee mode. */
export interface FeeModel {
  readonly mode: LaunchMode;
  /** Fee tier of the pool; a reward launch always trades in a 1 % pool. */
  readonly poolFeeTier: FeeTier;
  readonly poolFeePercent: number;
  /** Transfer tax of the mint in bps; 0 for a standard launch, whose mint has none. */
  readonly transferFeeBps: 0 | RewardTaxBps;
  /** First and second locked position. */
  readonly positions: readonly [PositionShare, PositionShare];
}

/**
 * The fee model of a launch. Shares are the specification's: 50 % / 50 % at 1 %, 75 % / 25 % at 2 %; on a reward launch
 * the first half belongs to the rewards authority, because no creator position exists.
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
