import Type, { type Static, type TObject } from 'typebox';

/** Limits of purchases of quote tokens for the treasury. */
export const restockVariables = {
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

/** Limits of restocks, in lamports and bps. */
export interface RestockConfig {
  readonly maxLamportsPerRound: bigint;
  readonly maxLamportsPerDay: bigint;
  readonly minTreasuryLamports: bigint;
  readonly maxSlippageBps: number;
  readonly maxImpactBps: number;
}

/** The limits of restocks, out of validated variables; null where they are switched off. */
export function restockConfig(values: RestockValues): RestockConfig | null {
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
