import { VersionedTransaction } from '@solana/web3.js';
import { computeBudgetOf } from '../transactions/compute-budget.ts';

/** Share of its compute limit that a simulated transaction may take, percent: the world may differ a little when it lands. */
const MOST_TAKEN_PERCENT = 90n;

/** A transaction that comes too close to its compute limit. */
export interface TightTransaction {
  /** Place among those that were simulated, from 0. */
  readonly index: number;
  readonly unitsConsumed: number;
  readonly unitLimit: number;
}

/** The first of some simulated transactions that took more than 90 % of what it asks for; undefined where all have room. */
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
