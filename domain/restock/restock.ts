import type { Purpose } from '../purpose.ts';

/**
 * `open` until its end. `done`: final. `short`: less than was signed, which blocks the pair until an operator clears
 * it. `skipped`: nothing to buy, or no acceptable offer. `failed`: on the chain.
 */
export type RestockRoundState = 'open' | 'done' | 'short' | 'skipped' | 'failed';

export function restockPurpose(roundId: string): Purpose {
  return `restock/${roundId}` as Purpose;
}

/** Limits of restocks, lamports and bps. */
export interface RestockLimits {
  readonly maxLamportsPerRound: bigint;
  /** Within 24 hours. */
  readonly maxLamportsPerDay: bigint;
  /** Kept in the treasury. */
  readonly minTreasuryLamports: bigint;
  /** Of a swap against its offer. */
  readonly maxSlippageBps: number;
  /** Maximum shortfall of an offer against the present prices. */
  readonly maxImpactBps: number;
  /** Maximum shortfall of an offer, and of what is signed, against the median prices. */
  readonly maxBelowMedianBps: number;
}

/** Least lamports of a swap that is worth its fees. */
const LEAST_LAMPORTS = 10_000_000n;

/**
 * Lamports needed beyond the swap: the wallet's own rent (890,880), and that of accounts for wrapped SOL, quote and
 * intermediate token (2,039,280 or slightly more). The rest stays for the next round.
 */
export const RESTOCK_FLOAT_LAMPORTS = 10_000_000n;

/** Network and priority fee. */
export const RESTOCK_FEE_LAMPORTS = 1_000_000n;

/** Lamports needed beyond the swap. */
const EXTRA_LAMPORTS = RESTOCK_FLOAT_LAMPORTS + RESTOCK_FEE_LAMPORTS;

/** Lamports. */
export interface RestockMeans {
  /** Of the missing quote tokens. */
  readonly costLamports: bigint;
  /** In 24 hours; open ones count with their budget. */
  readonly spentLamports: bigint;
  readonly treasuryLamports: bigint;
  readonly committedLamports: bigint;
}

/** Lamports. */
export interface RestockAmounts {
  readonly lamports: bigint;
  readonly budgetLamports: bigint;
}

/** Returns the amounts of the swap, or why the round must not swap. */
export function restockAmounts(means: RestockMeans, limits: RestockLimits): RestockAmounts | string {
  const { costLamports, spentLamports, treasuryLamports, committedLamports } = means;
  const ofDay = limits.maxLamportsPerDay - spentLamports - EXTRA_LAMPORTS;
  const ofTreasury = treasuryLamports - committedLamports - limits.minTreasuryLamports - EXTRA_LAMPORTS;
  if (ofDay < LEAST_LAMPORTS) return `restocks spent ${spentLamports} lamports within 24 hours already`;
  if (ofTreasury < LEAST_LAMPORTS) return `the treasury holds no more than ${treasuryLamports} lamports`;
  const lamports = [costLamports, limits.maxLamportsPerRound, ofDay, ofTreasury].reduce((a, b) => (a < b ? a : b));
  if (lamports < LEAST_LAMPORTS) return `a swap of ${lamports} lamports is not worth its fees`;
  return { lamports, budgetLamports: lamports + EXTRA_LAMPORTS };
}

/** Takes `bps` off an amount, rounded up. */
export function lessBps(amount: bigint, bps: number): bigint {
  return (amount * BigInt(10_000 - bps) + 9_999n) / 10_000n;
}

/** Values of a round's lamports, raw quote units. */
export interface FairAmounts {
  readonly presentRaw: bigint;
  /** By the median prices: who moves a market briefly does not move these. */
  readonly medianRaw: bigint;
}

type Bounds = Pick<RestockLimits, 'maxSlippageBps' | 'maxImpactBps' | 'maxBelowMedianBps'>;

/** Returns the minimum of an acceptable offer, raw units. */
export function leastOfferRaw({ presentRaw, medianRaw }: FairAmounts, limits: Bounds): bigint {
  return greater(lessBps(presentRaw, limits.maxImpactBps), lessBps(medianRaw, limits.maxBelowMedianBps));
}

/** Returns the minimum that is signed for an offer, raw units: slippage leads no further below the median either. */
export function leastReceivedRaw(offerRaw: bigint, { medianRaw }: FairAmounts, limits: Bounds): bigint {
  return greater(lessBps(offerRaw, limits.maxSlippageBps), lessBps(medianRaw, limits.maxBelowMedianBps));
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
