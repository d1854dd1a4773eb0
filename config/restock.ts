import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

export const restockVariables = {
  RESTOCK_EVERY_SECONDS: everySeconds(600, 'How often restocks of quote tokens are checked'),
  RESTOCK_DAY_LAMPORTS: lamports(0, 'Most that restocks spend in 24 hours; 0: off'),
  RESTOCK_ROUND_LAMPORTS: lamports(2_000_000_000, 'Most that one restock sells'),
  RESTOCK_KEEP_LAMPORTS: lamports(5_000_000_000, 'Least that restocks leave in the treasury'),
};

type RestockValues = Static<TObject<typeof restockVariables>>;

/** `limits` null: restocks are off. */
export interface RestockConfig {
  readonly everySeconds: number;
  readonly limits: RestockLimits | null;
}

interface RestockLimits {
  readonly maxLamportsPerRound: bigint;
  readonly maxLamportsPerDay: bigint;
  readonly minTreasuryLamports: bigint;
  readonly maxSlippageBps: number;
  readonly maxImpactBps: number;
  readonly maxBelowMedianBps: number;
}

export function restockConfig(values: RestockValues): RestockConfig {
  return { everySeconds: values.RESTOCK_EVERY_SECONDS, limits: restockLimits(values) };
}

function restockLimits(values: RestockValues): RestockLimits | null {
  if (values.RESTOCK_DAY_LAMPORTS === 0) return null;
  return {
    maxLamportsPerRound: BigInt(values.RESTOCK_ROUND_LAMPORTS),
    maxLamportsPerDay: BigInt(values.RESTOCK_DAY_LAMPORTS),
    minTreasuryLamports: BigInt(values.RESTOCK_KEEP_LAMPORTS),
    maxSlippageBps: 100,
    maxImpactBps: 200,
    maxBelowMedianBps: 500,
  };
}

function lamports(fallback: number, description: string) {
  return Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000_000_000,
    default: fallback,
    description: `${description}, in lamports`,
  });
}
