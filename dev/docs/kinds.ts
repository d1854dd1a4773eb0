import type { FeeMode } from '../../domain/fee-models.ts';

/** A kind of launch as a creator chooses it. */
export interface Kind {
  readonly title: string;
  readonly fee: FeeMode;
  /** Percent of each transfer that reaches the holders. */
  readonly taxPercent: number;
}

export const KINDS: readonly Kind[] = [
  { title: 'standard, 1 % pool (default)', fee: { mode: 'standard', feeTier: '1%' }, taxPercent: 0 },
  { title: 'standard, 2 % pool', fee: { mode: 'standard', feeTier: '2%' }, taxPercent: 0 },
  { title: 'reward, 1 % tax', fee: { mode: 'reward', rewardTaxBps: 100 }, taxPercent: 1 },
  { title: 'reward, 3 % tax', fee: { mode: 'reward', rewardTaxBps: 300 }, taxPercent: 3 },
];
