import { type FeeMode, feeModelOf } from '../../domain/fee-models.ts';
import { FEE_TIERS, REWARD_TAXES_BPS } from '../../domain/token-facts.ts';

/** A kind of launch as a creator chooses it. */
export interface Kind {
  readonly title: string;
  readonly fee: FeeMode;
  /** Percent of each transfer that reaches the holders. */
  readonly taxPercent: number;
}

export const KINDS: readonly Kind[] = [
  ...FEE_TIERS.map((feeTier, index): Kind => {
    const fee = { mode: 'standard', feeTier } as const;
    const title = `standard, ${feeModelOf(fee).poolFeePercent} % pool${index === 0 ? ' (default)' : ''}`;
    return { title, fee, taxPercent: 0 };
  }),
  ...REWARD_TAXES_BPS.map((rewardTaxBps): Kind => {
    const taxPercent = rewardTaxBps / 100;
    return { title: `reward, ${taxPercent} % tax`, fee: { mode: 'reward', rewardTaxBps }, taxPercent };
  }),
];
