import Type, { type Static, type TObject } from 'typebox';

/** What the platform does with the fees of its positions. */
export const feeSweepVariables = {
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
};

type FeeSweepValues = Static<TObject<typeof feeSweepVariables>>;

/** Which fees are collected and how they are divided. */
export interface FeeSweepConfig {
  /** USD, exact decimal. */
  readonly leastUsd: string;
  readonly buybackBps: number;
}

/** The settings of fee sweeps, out of validated variables. */
export function feeSweepConfig(values: FeeSweepValues): FeeSweepConfig {
  return { leastUsd: values.FEE_SWEEP_MIN_USD, buybackBps: values.BUYBACK_SHARE_BPS };
}
