import type { LaunchWish } from './launch/terms.ts';

export type FeeTier = NonNullable<LaunchWish['feeTier']>;

interface TierFacts {
  /** The pool takes so much of each trade. */
  readonly percent: number;
  /** Number of Raydium's configuration. */
  readonly config: number;
  /** The first position holds so much of the deposited supply. */
  readonly firstShareBps: number;
}

/** The specification fixes these. */
export const FEE_TIERS: Readonly<Record<FeeTier, TierFacts>> = {
  '1%': { percent: 1, config: 3, firstShareBps: 5_000 },
  '2%': { percent: 2, config: 9, firstShareBps: 7_500 },
};
