import { defaultComputeUnits } from '../transactions/compute-budget.ts';
import {
  compileTransaction,
  type PlannedTransaction,
  TransactionTooLargeError,
  type TransactionPlan,
} from '../transactions/compile.ts';

/** 0 nothing, 1 the priority fee, 2 also the compute limit. */
export interface PackedTransaction {
  readonly transaction: PlannedTransaction;
  readonly trims: 0 | 1 | 2;
}

/**
 * Fits a packet: drops the priority fee (12 bytes: the tip pays), then the compute limit (40 more) if the default per
 * instruction suffices. Throws a TransactionTooLargeError.
 */
export function packTransaction(plan: TransactionPlan & { readonly computeUnits: number }): PackedTransaction {
  const withoutFee = { ...plan, computeUnitPrice: 0n };
  const isAllowed = defaultComputeUnits(plan.instructions) >= plan.computeUnits;
  return firstThatFits([
    { trims: 0, plan },
    { trims: 1, plan: withoutFee },
    ...(isAllowed ? [{ trims: 2, plan: { ...withoutFee, computeUnits: null } } as const] : []),
  ]);
}

interface Candidate {
  readonly trims: PackedTransaction['trims'];
  readonly plan: TransactionPlan;
}

function firstThatFits(candidates: readonly Candidate[]): PackedTransaction {
  let tooLarge: TransactionTooLargeError | undefined;
  for (const { trims, plan } of candidates) {
    try {
      return { transaction: compileTransaction(plan), trims };
    } catch (error) {
      if (!(error instanceof TransactionTooLargeError)) throw error;
      tooLarge = error;
    }
  }
  throw tooLarge ?? new RangeError('there is no transaction to pack');
}
