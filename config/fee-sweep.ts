import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

/** What the platform does with the fees of its positions. */
export const feeSweepVariables = {
  FEE_SWEEP_EVERY_SECONDS: everySeconds(3_600, "How often the fees of the platform's positions are collected"),
  FEE_SWEEP_MIN_USD: Type.String({
    pattern: '^\\d{1,9}(\\.\\d{1,6})?$',
    title: 'a decimal number',
    default: '1',
    description: "Least that a position's fees must be worth to be collected, in USD",
  }),
  BUYBACK_SHARE_BPS: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 5_000,
    description: 'Share of collected fees that is for buying back and burning the platform token, in bps',
  }),
  FLYWHEEL_SHARE_BPS: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 1_000,
    description: 'Share of collected fees that is for buying and burning the ranked tokens, in bps',
  }),
};

type FeeSweepValues = Static<TObject<typeof feeSweepVariables>>;

/** When which fees are collected, and how they are divided. */
export interface FeeSweepConfig {
  readonly everySeconds: number;
  /** USD, exact decimal. */
  readonly leastUsd: string;
  readonly buybackBps: number;
  readonly flywheelBps: number;
  /** Mint of the platform token; null where there is none. */
  readonly platformToken: string | null;
}

/** The settings of fee sweeps, out of validated variables. */
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

/** What is wrong with the shares together. */
export function feeSweepProblems({
  BUYBACK_SHARE_BPS: buyback,
  FLYWHEEL_SHARE_BPS: flywheel,
}: FeeSweepValues): string[] {
  return buyback + flywheel > 10_000
    ? [`BUYBACK_SHARE_BPS and FLYWHEEL_SHARE_BPS are together ${buyback + flywheel}; at most 10000 are possible`]
    : [];
}
