import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

/** When quote tokens are bought for the treasury, and within which limits. */
export const restockVariables = {
  RESTOCK_EVERY_SECONDS: everySeconds(600, 'How often the worker looks whether quote tokens are to be bought'),
  RESTOCK_DAY_LAMPORTS: lamports(
    0,
    'Most that the treasury may spend on quote tokens within 24 hours; 0 switches restocks off',
  ),
  RESTOCK_ROUND_LAMPORTS: lamports(2_000_000_000, 'Most that one swap for quote tokens may sell'),
  RESTOCK_KEEP_LAMPORTS: lamports(5_000_000_000, 'What restocks leave in the treasury whatever happens'),
  RESTOCK_SLIPPAGE_BPS: bps(100, 'Most by which a swap may fill worse than its offer'),
  RESTOCK_IMPACT_BPS: bps(200, "Most by which an offer may be worse than the pair's own price, or move it"),
};

type RestockValues = Static<TObject<typeof restockVariables>>;

/** When is bought, and within which limits: null where restocks are switched off. */
export interface RestockConfig {
  readonly everySeconds: number;
  readonly limits: RestockLimits | null;
}

/** Limits of restocks, in lamports and bps. */
interface RestockLimits {
  readonly maxLamportsPerRound: bigint;
  readonly maxLamportsPerDay: bigint;
  readonly minTreasuryLamports: bigint;
  readonly maxSlippageBps: number;
  readonly maxImpactBps: number;
}

/** The settings of restocks, out of validated variables. */
export function restockConfig(values: RestockValues): RestockConfig {
  return { everySeconds: values.RESTOCK_EVERY_SECONDS, limits: restockLimits(values) };
}

function restockLimits(values: RestockValues): RestockLimits | null {
  if (values.RESTOCK_DAY_LAMPORTS === 0) return null;
  return {
    maxLamportsPerRound: BigInt(values.RESTOCK_ROUND_LAMPORTS),
    maxLamportsPerDay: BigInt(values.RESTOCK_DAY_LAMPORTS),
    minTreasuryLamports: BigInt(values.RESTOCK_KEEP_LAMPORTS),
    maxSlippageBps: values.RESTOCK_SLIPPAGE_BPS,
    maxImpactBps: values.RESTOCK_IMPACT_BPS,
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

function bps(fallback: number, description: string) {
  return Type.Integer({ minimum: 0, maximum: 2_000, default: fallback, description: `${description}, in bps` });
}
