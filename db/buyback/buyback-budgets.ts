/** Budgets of purchases. Shares come with the harvests, by a trigger. */

import { sql } from 'kysely';
import type { BuybackKind } from '../../domain/buyback/buyback.ts';
import type { Db } from '../connect.ts';

/** What is set aside in one quote token for one kind of purchase, raw units; all of it is ledger sums. */
export interface BuybackBudget {
  readonly kind: BuybackKind;
  readonly quoteMint: string;
  /** What the quote token is called and counted in; null where it is not listed any more. */
  readonly symbol: string | null;
  readonly decimals: number | null;
  /** Shares of all harvests. */
  readonly allocatedRaw: bigint;
  /** What final swaps took. */
  readonly spentRaw: bigint;
  /** Why the last round left it alone. */
  readonly problem: string | null;
}

/** What is left of a budget, raw units; 0 where more was spent than is known to be set aside. */
export function leftOf({ allocatedRaw, spentRaw }: Pick<BuybackBudget, 'allocatedRaw' | 'spentRaw'>): bigint {
  return allocatedRaw > spentRaw ? allocatedRaw - spentRaw : 0n;
}

/** All budgets, by kind and quote token. */
export function all(db: Db): Promise<BuybackBudget[]> {
  return db
    .selectFrom('buybackBudgets')
    .leftJoin('pairs', 'pairs.mint', 'buybackBudgets.quoteMint')
    .select(['buybackBudgets.kind', 'buybackBudgets.quoteMint', 'allocatedRaw', 'problem', 'symbol', 'decimals'])
    .select((eb) =>
      eb
        .selectFrom('buybackRounds')
        .select(sql<bigint>`coalesce(sum(spent_raw), 0)::numeric(39, 0)`.as('spentRaw'))
        .whereRef('buybackRounds.kind', '=', 'buybackBudgets.kind')
        .whereRef('buybackRounds.quoteMint', '=', 'buybackBudgets.quoteMint')
        .$asScalar()
        .$notNull()
        .as('spentRaw'),
    )
    .orderBy('buybackBudgets.kind')
    .orderBy('buybackBudgets.quoteMint')
    .execute();
}

/** Notes why a budget is left alone; null where it is not. */
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
