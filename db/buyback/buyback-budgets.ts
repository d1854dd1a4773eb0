/** Triggers add the shares of each harvest and what each purchase spent. */

import type { BuybackKind } from '../../domain/buyback/buyback.ts';
import type { Db } from '../connect.ts';

/** Budget of one quote token and kind, raw; ledger sums. */
export interface BuybackBudget {
  readonly kind: BuybackKind;
  readonly quoteMint: string;
  /** Null when no longer listed. */
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly allocatedRaw: bigint;
  /** By final swaps. */
  readonly spentRaw: bigint;
  /** Why the last round skipped it. */
  readonly problem: string | null;
}

/** Returns what is left, raw; 0 if spending exceeds the shares. */
export function leftOf({ allocatedRaw, spentRaw }: Pick<BuybackBudget, 'allocatedRaw' | 'spentRaw'>): bigint {
  return allocatedRaw > spentRaw ? allocatedRaw - spentRaw : 0n;
}

export function all(db: Db): Promise<BuybackBudget[]> {
  return db
    .selectFrom('buybackBudgets')
    .leftJoin('pairs', 'pairs.mint', 'buybackBudgets.quoteMint')
    .select([
      'buybackBudgets.kind',
      'buybackBudgets.quoteMint',
      'allocatedRaw',
      'spentRaw',
      'problem',
      'symbol',
      'decimals',
    ])
    .orderBy('buybackBudgets.kind')
    .orderBy('buybackBudgets.quoteMint')
    .execute();
}

/** Null clears it. */
export async function noteProblem(
  db: Db,
  { kind, quoteMint }: Pick<BuybackBudget, 'kind' | 'quoteMint'>,
  problem: string | null,
): Promise<void> {
  await db
    .updateTable('buybackBudgets')
    .set({ problem })
    .where('kind', '=', kind)
    .where('quoteMint', '=', quoteMint)
    .where('problem', 'is distinct from', problem)
    .execute();
}
