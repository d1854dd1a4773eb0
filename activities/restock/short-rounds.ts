import * as restockRounds from '../../db/restock/restock-rounds.ts';
import type { Finding } from '../../domain/money/finding.ts';
import type { ReconcileDeps } from '../money/reconcile/deps.ts';

/** Finds restocks that received less than agreed, until an operator clears them. */
export async function findShortRestocks({ db }: Pick<ReconcileDeps, 'db'>): Promise<Finding[]> {
  const rounds = await restockRounds.uncleared(db);
  return rounds.map(({ id, agreedRaw, receivedRaw, signature }) => ({
    kind: 'restock-short',
    subject: `restock/${id}`,
    books: `at least ${agreedRaw ?? 1n} agreed`,
    chain: `${receivedRaw} received as ${signature}`,
  }));
}
