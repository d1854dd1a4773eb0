import type { FeeMode } from '../../domain/fee-models.ts';

export interface LaunchVariant {
  readonly fee: FeeMode;
  readonly devBuy: boolean;
  readonly quoteProgram: 'classic' | 'token-2022';
  /** Token0. */
  readonly baseFirst: boolean;
}

const FEES: readonly FeeMode[] = [
  { mode: 'standard', feeTier: '1%' },
  { mode: 'standard', feeTier: '2%' },
  { mode: 'reward', rewardTaxBps: 100 },
  { mode: 'reward', rewardTaxBps: 300 },
];

export const LAUNCH_VARIANTS: readonly LaunchVariant[] = FEES.flatMap((fee) =>
  [false, true].flatMap((devBuy) =>
    (['classic', 'token-2022'] as const).flatMap((quoteProgram) =>
      [true, false].map((baseFirst) => ({ fee, devBuy, quoteProgram, baseFirst })),
    ),
  ),
);

export function nameOfVariant({ fee, devBuy, quoteProgram, baseFirst }: LaunchVariant): string {
  const kind = fee.mode === 'reward' ? `reward ${fee.rewardTaxBps}` : `standard ${fee.feeTier}`;
  return `${kind}${devBuy ? ' + dev buy' : ''}, ${quoteProgram} quote, base is token${baseFirst ? 0 : 1}`;
}
