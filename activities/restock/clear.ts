import * as restockRounds from '../../db/restock/restock-rounds.ts';
import type { ReconcileDeps } from '../money/reconcile/deps.ts';
import { idIn, RemedyRefusedError } from '../money/remedies/refused.ts';

/** Lets its pair be bought again. */
export async function clearRestock({ db }: Pick<ReconcileDeps, 'db'>, subject: string): Promise<string> {
  const id = idIn(subject);
  if (await restockRounds.clear(db, id)) return `the pair of restock ${id} is bought again`;
  throw new RemedyRefusedError(`${subject} stops no pair`);
}
