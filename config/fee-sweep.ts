import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

export const feeSweepVariables = {
  FEE_SWEEP_EVERY_SECONDS: everySeconds(3_600, 'How often fees of the platform’s positions are collected'),
  FEE_SWEEP_MIN_USD: Type.String({
    pattern: '^\\d{1,9}(\\.\\d{1,6})?$',
    title: 'a decimal number',
    default: '1',
    description: 'Least fees of a position that are collected, in USD',
  }),
  BUYBACK_SHARE_BPS: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 5_000,
    description: 'Share of collected fees that buys and burns the platform token, in bps',
  }),
  FLYWHEEL_SHARE_BPS: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 1_000,
    description: 'Share of collected fees that buys and burns ranked tokens, in bps',
  }),
};

type FeeSweepValues = Static<TObject<typeof feeSweepVariables>>;

export interface FeeSweepConfig {
  readonly everySeconds: number;
  /** Exact decimal. */
  readonly leastUsd: string;
  readonly buybackBps: number;
  readonly flywheelBps: number;
  /** Mint. */
  readonly platformToken: string | null;
}

export function feeSweepConfig(
  values: FeeSweepValues & { readonly PLATFORM_TOKEN_MINT?: string | undefined },
): FeeSweepConfig {
  return {
    everySeconds: values.FEE_SWEEP_EVERY_SECONDS,
    leastUsd: values.FEE_SWEEP_MIN_USD,
    buybackBps: values.BUYBACK_SHARE_BPS,
    flywheelBps: values.FLYWHEEL_SHARE_BPS,
    platformToken: values.PLATFORM_TOKEN_MINT ?? null,
  };
}

export function feeSweepProblems({
  BUYBACK_SHARE_BPS: buyback,
  FLYWHEEL_SHARE_BPS: flywheel,
}: FeeSweepValues): string[] {
  return buyback + flywheel > 10_000
    ? [`BUYBACK_SHARE_BPS and FLYWHEEL_SHARE_BPS are together ${buyback + flywheel}; at most 10000 are possible`]
    : [];
}
