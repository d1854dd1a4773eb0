import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { Finding } from '../../domain/money/finding.ts';
import type { ReconcileDeps } from '../money/reconcile/deps.ts';

/** Finds reward rounds that the chain has a seal of and a restored database has no plan of. */
export async function findUnplannedRounds({ db }: Pick<ReconcileDeps, 'db'>): Promise<Finding[]> {
  const rounds = await rewardRounds.sealedWithoutPlan(db);
  return rounds.map(({ id, mint, number, root }) => ({
    kind: 'plan-unknown',
    subject: `reward/${id}`,
    books: `no plan of round ${number} of ${mint}`,
    chain: `sealed with ${root}`,
  }));
}
