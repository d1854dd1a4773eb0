import type { VersionedTransaction } from '@solana/web3.js';
import { defaultComputeUnits } from '../transactions/compute-budget.ts';
import { compileTransaction, TransactionTooLargeError, type TransactionPlan } from '../transactions/compile.ts';

/** A transaction that fits one packet, and what it had to do without: 0 nothing, 1 the priority fee, 2 the compute limit too. */
export interface PackedTransaction {
  readonly transaction: VersionedTransaction;
  readonly trims: 0 | 1 | 2;
}

/**
 * Compiles a transaction of a bundle so that it fits one packet. What does not fit goes without its priority fee (12 bytes),
 * because the tip speaks for the whole bundle, and then without its compute limit (40 more): the cluster then allows each
 * instruction a share of its own, which must be as much as the plan asks for. Throws a TransactionTooLargeError.
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
