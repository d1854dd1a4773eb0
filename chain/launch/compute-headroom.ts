import { VersionedTransaction } from '@solana/web3.js';
import { computeBudgetOf } from '../transactions/compute-budget.ts';

/** Largest share of a limit that a simulation may use; the state may differ at landing. */
const MOST_TAKEN_PERCENT = 90n;

export interface TightTransaction {
  /** Of the simulated, from 0. */
  readonly index: number;
  readonly unitsConsumed: number;
  readonly unitLimit: number;
}

/** The first over 90 % of its limit. */
export function findTight(
  wires: readonly Uint8Array[],
  unitsConsumed: readonly number[],
): TightTransaction | undefined {
  const simulated = wires.slice(0, unitsConsumed.length).map((wire, index) => ({
    index,
    unitsConsumed: unitsConsumed[index] ?? 0,
    unitLimit: computeBudgetOf(VersionedTransaction.deserialize(wire).message).units,
  }));
  return simulated.find((each) => BigInt(each.unitsConsumed) * 100n > BigInt(each.unitLimit) * MOST_TAKEN_PERCENT);
}
