import type { Purpose } from '../purpose.ts';

/**
 * Life of one purchase of quote tokens: `open` from its plan to its end, `done` when the swap is final, `skipped` when there
 * was nothing to buy or no acceptable offer, `failed` when the swap failed on the chain.
 */
export type RestockRoundState = 'open' | 'done' | 'skipped' | 'failed';

/** Purpose and memo of the swap of one round. */
export function restockPurpose(roundId: string): Purpose {
  return `restock/${roundId}` as Purpose;
}

/** Limits of all restocks, in lamports and bps. */
export interface RestockLimits {
  /** Most that one swap sells. */
  readonly maxLamportsPerRound: bigint;
  /** Most that the treasury may lose by restocks within 24 hours. */
  readonly maxLamportsPerDay: bigint;
  /** What the treasury keeps whatever happens. */
  readonly minTreasuryLamports: bigint;
  /** Most by which a swap may fill worse than its offer. */
  readonly maxSlippageBps: number;
  /** Most by which an offer may be worse than the prices. */
  readonly maxImpactBps: number;
}

/** A smaller swap is not worth its fees, in lamports. */
const LEAST_LAMPORTS = 10_000_000n;

/**
 * What the wallet that swaps gets beyond the swap itself, in lamports: its own rent (890,880), that of an account for wrapped
 * SOL, of one for the quote token and of one in between (2,039,280 or a little more each). What is not used stays there for
 * the next round.
 */
export const RESTOCK_FLOAT_LAMPORTS = 10_000_000n;

/** Most that network fee and priority fee of a restock may be, in lamports. */
export const RESTOCK_FEE_LAMPORTS = 1_000_000n;

/** What a round may cost beyond the swap itself. */
const EXTRA_LAMPORTS = RESTOCK_FLOAT_LAMPORTS + RESTOCK_FEE_LAMPORTS;

/** What a round is planned from, in lamports. */
export interface RestockMeans {
  /** Price of the missing quote tokens. */
  readonly costLamports: bigint;
  /** What restocks of the last 24 hours have spent, open ones counted with their budget. */
  readonly spentLamports: bigint;
  readonly treasuryLamports: bigint;
  /** Budgets of open rounds. */
  readonly committedLamports: bigint;
}

/** A planned round's amounts, in lamports. */
export interface RestockAmounts {
  readonly lamports: bigint;
  readonly budgetLamports: bigint;
}

/** How much one round may swap, or why it may not. */
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

/** The least of an amount that `bps` may take away, rounded up. */
export function lessBps(amount: bigint, bps: number): bigint {
  return (amount * BigInt(10_000 - bps) + 9_999n) / 10_000n;
}
